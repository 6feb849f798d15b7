// Step 3: tiles in shared memory. A block copies a square of a and one of b, and every word copied serves 32 threads.
constexpr int SIDE = 32;

__global__ void sgemm(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * SIDE + y, column = blockIdx.x * SIDE + x;
  float sum = 0.0f;
  for (int start = 0; start < k; start += SIDE) {
    // What lies outside is zero: skipping the product instead would let a NaN from there in as 0 * NaN.
    a_tile[y][x] = row < m && start + x < k ? a[size_t(row) * k + start + x] : 0.0f;
    b_tile[y][x] = start + y < k && column < n ? b[size_t(start + y) * n + column] : 0.0f;
    __syncthreads();  // nobody reads a tile that is still being written
    for (int i = 0; i < SIDE; ++i) sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();  // nobody overwrites a tile that is still being read
  }
  if (row < m && column < n) c[size_t(row) * n + column] = sum;
}

#ifndef __CUDACC_RTC__
extern "C" int launch(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream) {
  const dim3 grid((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE), block(SIDE, SIDE);
  sgemm<<<grid, block, 0, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}
#endif
