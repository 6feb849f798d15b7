// Step 8: two buffers. The next tile travels from memory to registers while this one is multiplied, and from there into
// the other buffer: memory's latency is hidden, and one barrier a tile is enough.
constexpr int BM = 128, BN = 128, BK = 16, WARP_SIDE = 64, THREADS = 128;
constexpr int DOWN = 16, ACROSS = 8;  // results a thread: 16 rows in four strips, 8 columns in two
constexpr int PAD = 4;                // spreads the transposed stores of a over banks, and keeps rows on 16 bytes

constexpr int LOADS = BM * BK / (4 * THREADS);  // 16-byte loads a thread for either tile

// Four words of one row, 16 bytes in one instruction where VECTOR says that rows start on 16 bytes; 0 outside.
template <bool VECTOR>
__device__ float4 load4(const float *x, int rows, int columns, int row, int column) {
  float4 words = {0.0f, 0.0f, 0.0f, 0.0f};
  const float *at = x + size_t(row) * columns + column;
  if (row >= rows) return words;
  if (VECTOR) return column < columns ? *reinterpret_cast<const float4 *>(at) : words;
  if (column + 0 < columns) words.x = at[0];
  if (column + 1 < columns) words.y = at[1];
  if (column + 2 < columns) words.z = at[2];
  if (column + 3 < columns) words.w = at[3];
  return words;
}

template <bool VECTOR>
__device__ void store4(float *x, int rows, int columns, int row, int column, const float *words) {
  float *at = x + size_t(row) * columns + column;
  if (row >= rows) return;
  if constexpr (VECTOR) {
    if (column < columns) *reinterpret_cast<float4 *>(at) = {words[0], words[1], words[2], words[3]};
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (column + i < columns) at[i] = words[i];
    }
  }
}

template <bool VECTOR>
__device__ void fetch(float4 (&a_words)[LOADS], float4 (&b_words)[LOADS], const float *a, const float *b, int m, int n,
                      int k, int top, int left, int start) {
#pragma unroll
  for (int i = 0; i < LOADS; ++i) {
    const int at = i * THREADS + threadIdx.x;
    a_words[i] = load4<VECTOR>(a, m, k, top + at / (BK / 4), start + at % (BK / 4) * 4);
    b_words[i] = load4<VECTOR>(b, k, n, start + at / (BN / 4), left + at % (BN / 4) * 4);
  }
}

__device__ void keep(const float4 (&a_words)[LOADS], const float4 (&b_words)[LOADS], float (*a_tile)[BM + PAD],
                     float (*b_tile)[BN]) {
#pragma unroll
  for (int i = 0; i < LOADS; ++i) {
    const int at = i * THREADS + threadIdx.x, row = at / (BK / 4), column = at % (BK / 4) * 4;
    a_tile[column + 0][row] = a_words[i].x;
    a_tile[column + 1][row] = a_words[i].y;
    a_tile[column + 2][row] = a_words[i].z;
    a_tile[column + 3][row] = a_words[i].w;
    *reinterpret_cast<float4 *>(&b_tile[at / (BN / 4)][at % (BN / 4) * 4]) = b_words[i];
  }
}

// The products of one tile. A warp's 32 lanes are 4 by 8, four words each: side by side they cover 16 rows and 32
// columns, so the lanes of one load read neighbouring words, which no two banks hold twice.
__device__ void multiply(float (&sums)[DOWN][ACROSS], const float (*a_tile)[BM + PAD], const float (*b_tile)[BN],
                         int y, int x) {
#pragma unroll
  for (int i = 0; i < BK; ++i) {
    alignas(16) float down[DOWN], across[ACROSS];
#pragma unroll
    for (int s = 0; s < DOWN / 4; ++s) {
      *reinterpret_cast<float4 *>(&down[4 * s]) = *reinterpret_cast<const float4 *>(&a_tile[i][y + 16 * s]);
    }
#pragma unroll
    for (int s = 0; s < ACROSS / 4; ++s) {
      *reinterpret_cast<float4 *>(&across[4 * s]) = *reinterpret_cast<const float4 *>(&b_tile[i][x + 32 * s]);
    }
#pragma unroll
    for (int r = 0; r < DOWN; ++r) {
#pragma unroll
      for (int s = 0; s < ACROSS; ++s) sums[r][s] += down[r] * across[s];
    }
  }
}

template <bool VECTOR>
__global__ void __launch_bounds__(THREADS) sgemm(const float *a, const float *b, float *c, int m, int n, int k) {
  alignas(16) __shared__ float a_tile[2][BK][BM + PAD], b_tile[2][BK][BN];
  const int top = blockIdx.y * BM, left = blockIdx.x * BN;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int y = warp / (BN / WARP_SIDE) * WARP_SIDE + lane / 8 * 4;
  const int x = warp % (BN / WARP_SIDE) * WARP_SIDE + lane % 8 * 4;
  float sums[DOWN][ACROSS] = {};
  float4 a_words[LOADS], b_words[LOADS];
  fetch<VECTOR>(a_words, b_words, a, b, m, n, k, top, left, 0);
  for (int start = 0, buffer = 0; start < k; start += BK, buffer ^= 1) {
    keep(a_words, b_words, a_tile[buffer], b_tile[buffer]);
    // After this barrier all threads are past the product before, so its buffer, the other one, is free again.
    __syncthreads();
    if (start + BK < k) fetch<VECTOR>(a_words, b_words, a, b, m, n, k, top, left, start + BK);
    multiply(sums, a_tile[buffer], b_tile[buffer], y, x);
  }
#pragma unroll
  for (int r = 0; r < DOWN; ++r) {
    const int row = top + y + r / 4 * 16 + r % 4;
#pragma unroll
    for (int s = 0; s < ACROSS; s += 4) store4<VECTOR>(c, m, n, row, left + x + s * 8, &sums[r][s]);
  }
}

#ifndef __CUDACC_RTC__
extern "C" int launch(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream) {
  const dim3 grid((n + BN - 1) / BN, (m + BM - 1) / BM);
  const bool on_16_bytes = (size_t(a) | size_t(b) | size_t(c)) % 16 == 0 && n % 4 == 0 && k % 4 == 0;
  const auto kernel = on_16_bytes ? sgemm<true> : sgemm<false>;
  kernel<<<grid, THREADS, 0, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}
#endif
