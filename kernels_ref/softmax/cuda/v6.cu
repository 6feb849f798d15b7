// Step 6: a row too long for one block is held by a cluster of blocks, each with a share of it in shared memory. A block
// finds the maximum and sum of its share and sends the pair into the memory of every block of the cluster; whoever has
// got all pairs knows the whole row. Memory is read once, however long the row.
constexpr int THREADS = 512, LOADS = 4, WIDE = 8;  // a load is 8 scores, 16 bytes
constexpr int SHARE = THREADS * LOADS * WIDE;      // 16384 scores, 32 KiB: four blocks fit on a multiprocessor
constexpr int WARPS = THREADS / 32, MOST_BLOCKS = 16;
constexpr unsigned EVERYONE = 0xffffffffu, NOTHING = 0xff80ff80u;  // -inf twice
constexpr float LOG2_E = 1.44269504f;

// The maximum of some scores times log2(e), and the sum of their exponentials relative to it. Scores stay below 2.3e38:
// beyond, the product is infinite.
struct __align__(8) Part {
  float top, total;
};

__device__ float low(unsigned pair) { return __uint_as_float(pair << 16); }
__device__ float high(unsigned pair) { return __uint_as_float(pair & 0xffff0000u); }

__device__ unsigned pair_of(float low, float high) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

__device__ unsigned larger(unsigned pair, unsigned other) {
  asm("max.bf16x2 %0, %0, %1;" : "+r"(pair) : "r"(other));
  return pair;
}

// Instructions, not memory, are scarce here: without ftz each of these would be four.
__device__ float exp2_of(float x) {
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}

// What to subtract: -inf only comes from -inf alone, whose exponentials are zero and not NaN.
__device__ float shift_of(float top) { return top == __int_as_float(0xff800000) ? 0.0f : top; }

// The part of WIDTH neighbouring lanes together, known to each of them.
template <int WIDTH>
__device__ Part joined(Part part) {
  float top = part.top;
#pragma unroll
  for (int step = WIDTH / 2; step > 0; step /= 2) top = fmaxf(top, __shfl_xor_sync(EVERYONE, top, step));
  float total = part.total * exp2_of(part.top - shift_of(top));
#pragma unroll
  for (int step = WIDTH / 2; step > 0; step /= 2) total += __shfl_xor_sync(EVERYONE, total, step);
  return {top, total};
}

__device__ unsigned address(const void *shared) { return __cvta_generic_to_shared(shared); }

// The same place in another block of the cluster.
__device__ unsigned in_block(unsigned address, int block) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(block));
  return there;
}

// A barrier in shared memory that opens when so many bytes have arrived.
__device__ void expect(const void *barrier, unsigned bytes) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(barrier)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes) : "memory");
}

__device__ void send(Part part, const void *place, const void *barrier, int block) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(
                   in_block(address(place), block)),
               "f"(part.top), "f"(part.total), "r"(in_block(address(barrier), block))
               : "memory");
}

__device__ void await(const void *barrier) {
  asm volatile(
      "{ .reg .pred open; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 open, [%0], 0; @!open bra again; }" ::"r"(
          address(barrier))
      : "memory");
}

// Eight scores from memory into shared memory, where they are after cp.async.wait_all.
template <bool VECTOR>
__device__ void fetch(uint4 *to, const unsigned short *from, int left) {
  if (VECTOR) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address(to)), "l"(from) : "memory");
  } else {
    *to = {NOTHING, NOTHING, NOTHING, NOTHING};
    for (int i = 0; i < min(left, WIDE); ++i) reinterpret_cast<unsigned short *>(to)[i] = from[i];
  }
}

template <bool VECTOR>
__device__ void put(unsigned short *to, uint4 words, int left) {
  if (VECTOR) {
    *reinterpret_cast<uint4 *>(to) = words;
  } else {
    for (int i = 0; i < min(left, WIDE); ++i) to[i] = reinterpret_cast<unsigned short *>(&words)[i];
  }
}

// The part of a thread's own scores, which nobody else reads: no barrier is needed.
__device__ Part own_part(const uint4 *mine) {
  unsigned largest = NOTHING;
#pragma unroll
  for (int i = 0; i < LOADS; ++i) {
    const uint4 words = mine[i * THREADS];
    largest = larger(largest, larger(larger(words.x, words.y), larger(words.z, words.w)));
  }
  const float top = fmaxf(low(largest), high(largest)) * LOG2_E, shift = shift_of(top);
  const auto sum = [&](unsigned pair) {
    return exp2_of(fmaf(low(pair), LOG2_E, -shift)) + exp2_of(fmaf(high(pair), LOG2_E, -shift));
  };
  float total = 0.0f;
#pragma unroll
  for (int i = 0; i < LOADS; ++i) {
    const uint4 words = mine[i * THREADS];
    total += sum(words.x) + sum(words.y) + sum(words.z) + sum(words.w);
  }
  return {top, total};
}

// The part of the whole row: lanes, then warps, then blocks.
__device__ Part row_part(Part part, Part *of_blocks, const void *barrier, int blocks) {
  __shared__ Part of_warps[WARPS];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  part = joined<32>(part);
  if (lane == 0) of_warps[warp] = part;
  __syncthreads();
  __cluster_barrier_wait();  // every block has made its barrier
  if (warp == 0 || blocks == 1) part = joined<WARPS>(of_warps[lane % WARPS]);
  if (blocks == 1) return part;
  if (warp == 0 && lane < blocks) send(part, of_blocks + __clusterRelativeBlockRank(), barrier, lane);
  await(barrier);
  const Part nothing = {__int_as_float(0xff800000), 0.0f};
  return joined<MOST_BLOCKS>(lane % MOST_BLOCKS < blocks ? of_blocks[lane % MOST_BLOCKS] : nothing);
}

template <bool VECTOR>
__global__ void __launch_bounds__(THREADS, 4) softmax(const unsigned short *x, unsigned short *out, int n, int share) {
  __shared__ uint4 scores[LOADS * THREADS];
  __shared__ Part of_blocks[MOST_BLOCKS];
  __shared__ unsigned long long barrier;
  const int blocks = int(__clusterSizeInBlocks());
  if (threadIdx.x == 0 && blocks > 1) expect(&barrier, blocks * sizeof(Part));
  const int first = int(__clusterRelativeBlockRank()) * share, end = min(first + share, n);
  const size_t row = size_t(blockIdx.x / blocks) * n;
  __cluster_barrier_arrive_relaxed();
#pragma unroll
  for (int i = 0; i < LOADS; ++i) {
    const int column = first + (i * THREADS + threadIdx.x) * WIDE;
    uint4 *to = scores + i * THREADS + threadIdx.x;
    if (column < end) fetch<VECTOR>(to, x + row + column, end - column);
    else *to = {NOTHING, NOTHING, NOTHING, NOTHING};
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  const Part whole = row_part(own_part(scores + threadIdx.x), of_blocks, &barrier, blocks);
  const float shift = shift_of(whole.top), inverse = whole.total == 0.0f ? 1.0f : 1.0f / whole.total;
  const auto weigh = [&](unsigned pair) {
    return pair_of(exp2_of(fmaf(low(pair), LOG2_E, -shift)) * inverse,
                   exp2_of(fmaf(high(pair), LOG2_E, -shift)) * inverse);
  };
#pragma unroll
  for (int i = 0; i < LOADS; ++i) {
    const int column = first + (i * THREADS + threadIdx.x) * WIDE;
    const uint4 words = scores[i * THREADS + threadIdx.x];
    const uint4 weights = {weigh(words.x), weigh(words.y), weigh(words.z), weigh(words.w)};
    if (column < end) put<VECTOR>(out + row + column, weights, end - column);
  }
}

#ifndef __CUDACC_RTC__
extern "C" int launch(const void *x, void *out, int rows, int n, cudaStream_t stream) {
  int blocks = 1;
  while (blocks * SHARE < n) blocks *= 2;
  if (blocks > MOST_BLOCKS) return cudaErrorInvalidValue;
  const int share = ((n + blocks - 1) / blocks + 15) / 16 * 16;
  const auto kernel = (size_t(x) | size_t(out)) % 16 == 0 && n % WIDE == 0 ? softmax<true> : softmax<false>;
  if (blocks > 8) cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {unsigned(blocks), 1, 1};
  const cudaLaunchConfig_t config = {unsigned(rows * blocks), THREADS, 0, stream, &cluster, 1};
  return cudaLaunchKernelEx(&config, kernel, static_cast<const unsigned short *>(x), static_cast<unsigned short *>(out),
                            n, share);
}
#endif
