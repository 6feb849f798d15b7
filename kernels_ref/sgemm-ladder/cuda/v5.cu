// Step 5: a square of results a thread. SIDE words of a and SIDE of b in registers serve SIDE * SIDE products: one word
// read from shared memory for every four products instead of for every one.
constexpr int BM = 128, BN = 128, BK = 8, SIDE = 8;
constexpr int ACROSS = BN / SIDE, THREADS = BM * BN / (SIDE * SIDE);

__global__ void __launch_bounds__(THREADS) sgemm(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[BM][BK], b_tile[BK][BN];
  const int top = blockIdx.y * BM, left = blockIdx.x * BN;
  const int x = threadIdx.x % ACROSS * SIDE, y = threadIdx.x / ACROSS * SIDE;
  float sums[SIDE][SIDE] = {};
  for (int start = 0; start < k; start += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
      const int row = i / BK, column = i % BK;
      const bool inside = top + row < m && start + column < k;
      a_tile[row][column] = inside ? a[size_t(top + row) * k + start + column] : 0.0f;
    }
    for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
      const int row = i / BN, column = i % BN;
      const bool inside = start + row < k && left + column < n;
      b_tile[row][column] = inside ? b[size_t(start + row) * n + left + column] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < BK; ++i) {
      float down[SIDE], across[SIDE];
#pragma unroll
      for (int s = 0; s < SIDE; ++s) down[s] = a_tile[y + s][i], across[s] = b_tile[i][x + s];
#pragma unroll
      for (int r = 0; r < SIDE; ++r) {
#pragma unroll
        for (int s = 0; s < SIDE; ++s) sums[r][s] += down[r] * across[s];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < SIDE; ++r) {
#pragma unroll
    for (int s = 0; s < SIDE; ++s) {
      if (top + y + r < m && left + x + s < n) c[size_t(top + y + r) * n + left + x + s] = sums[r][s];
    }
  }
}

#ifndef __CUDACC_RTC__
extern "C" int launch(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream) {
  const dim3 grid((n + BN - 1) / BN, (m + BM - 1) / BM);
  sgemm<<<grid, THREADS, 0, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}
#endif
