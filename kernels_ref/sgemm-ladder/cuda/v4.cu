// Step 4: a column of results a thread. A word of b, once in a register, serves ROWS products; shared memory is read
// ROWS + 1 times for ROWS products where it was read twice for each.
constexpr int BM = 64, BN = 64, BK = 8, ROWS = 8;
constexpr int THREADS = BM * BN / ROWS;
static_assert(THREADS == BM * BK && THREADS == BN * BK, "each thread copies one word of either tile");

__global__ void __launch_bounds__(THREADS) sgemm(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[BM][BK], b_tile[BK][BN];
  const int top = blockIdx.y * BM, left = blockIdx.x * BN;
  const int x = threadIdx.x % BN, y = threadIdx.x / BN * ROWS;
  const int a_row = threadIdx.x / BK, a_column = threadIdx.x % BK;
  const int b_row = threadIdx.x / BN, b_column = threadIdx.x % BN;
  float sums[ROWS] = {};
  for (int start = 0; start < k; start += BK) {
    const bool a_inside = top + a_row < m && start + a_column < k;
    const bool b_inside = start + b_row < k && left + b_column < n;
    a_tile[a_row][a_column] = a_inside ? a[size_t(top + a_row) * k + start + a_column] : 0.0f;
    b_tile[b_row][b_column] = b_inside ? b[size_t(start + b_row) * n + left + b_column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < BK; ++i) {
      const float right = b_tile[i][x];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) sums[r] += a_tile[y + r][i] * right;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if (top + y + r < m && left + x < n) c[size_t(top + y + r) * n + left + x] = sums[r];
  }
}

#ifndef __CUDACC_RTC__
extern "C" int launch(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream) {
  const dim3 grid((n + BN - 1) / BN, (m + BM - 1) / BM);
  sgemm<<<grid, THREADS, 0, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}
#endif
