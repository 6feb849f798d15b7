// Step 7: warp tiles. Each of four warps owns a 64 by 64 part of the block's tile and each thread 128 results, spread
// so that the lanes of a warp read shared memory without bank conflicts.
constexpr int BM = 128, BN = 128, BK = 16, WARP_SIDE = 64, THREADS = 128;
constexpr int DOWN = 16, ACROSS = 8;  // results a thread: 16 rows in four strips, 8 columns in two
constexpr int PAD = 4;                // spreads the transposed stores of a over banks, and keeps rows on 16 bytes

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
  alignas(16) __shared__ float a_tile[BK][BM + PAD], b_tile[BK][BN];
  const int top = blockIdx.y * BM, left = blockIdx.x * BN;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int y = warp / (BN / WARP_SIDE) * WARP_SIDE + lane / 8 * 4;
  const int x = warp % (BN / WARP_SIDE) * WARP_SIDE + lane % 8 * 4;
  float sums[DOWN][ACROSS] = {};
  for (int start = 0; start < k; start += BK) {
#pragma unroll
    for (int i = 0; i < BM * BK; i += 4 * THREADS) {
      const int row = (i / 4 + threadIdx.x) / (BK / 4), column = threadIdx.x % (BK / 4) * 4;
      const float4 words = load4<VECTOR>(a, m, k, top + row, start + column);
      a_tile[column + 0][row] = words.x;
      a_tile[column + 1][row] = words.y;
      a_tile[column + 2][row] = words.z;
      a_tile[column + 3][row] = words.w;
    }
#pragma unroll
    for (int i = 0; i < BK * BN; i += 4 * THREADS) {
      const int row = (i / 4 + threadIdx.x) / (BN / 4), column = threadIdx.x % (BN / 4) * 4;
      *reinterpret_cast<float4 *>(&b_tile[row][column]) = load4<VECTOR>(b, k, n, start + row, left + column);
    }
    __syncthreads();
    multiply(sums, a_tile, b_tile, y, x);
    __syncthreads();
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
