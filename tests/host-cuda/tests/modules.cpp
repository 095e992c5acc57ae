// Kernels compiled at run time: NVRTC, and the driver's functions that load and launch them.
#include <cuda.h>
#include <nvrtc.h>

#include <map>
#include <string>

#include "common.cuh"

namespace {

template <class F>
F *entry(const char *name) {
  void *found = nullptr;
  cudaDriverEntryPointQueryResult result;
  EXPECT_EQ(cudaGetDriverEntryPointByVersion(name, &found, 12040, cudaEnableDefault, &result), cudaSuccess);
  EXPECT_EQ(result, cudaDriverEntryPointSuccess);
  return reinterpret_cast<F *>(found);
}
#define DRIVER(name) entry<decltype(name)>(#name)

constexpr char source[] = R"(
extern "C" __global__ void scale(float *to, const float *from, double by, int n) {
  const int i = int(threadIdx.x + blockIdx.x * blockDim.x);
  if (i < n) to[i] = float(from[i] * by);
}
template <class T>
__global__ void fill(T *to, T value) {
  to[threadIdx.x] = value;
}
extern "C" __global__ void tooFar(int *to) { to[1000000] = 1; }
)";

struct Program {
  nvrtcProgram program = nullptr;
  explicit Program(const char *text, std::vector<const char *> expressions = {}, std::vector<const char *> headers = {},
                   std::vector<const char *> names = {}) {
    EXPECT_EQ(nvrtcCreateProgram(&program, text, "program.cu", int(headers.size()), headers.data(), names.data()),
              NVRTC_SUCCESS);
    for (const char *expression : expressions) EXPECT_EQ(nvrtcAddNameExpression(program, expression), NVRTC_SUCCESS);
  }
  ~Program() { EXPECT_EQ(nvrtcDestroyProgram(&program), NVRTC_SUCCESS); }
  nvrtcResult compile(std::vector<const char *> options) {
    return nvrtcCompileProgram(program, int(options.size()), options.data());
  }
  std::string log() { return text(nvrtcGetProgramLogSize, nvrtcGetProgramLog); }
  std::string ptx() { return text(nvrtcGetPTXSize, nvrtcGetPTX); }
  std::string cubin() { return text(nvrtcGetCUBINSize, nvrtcGetCUBIN); }
  std::string lowered(const char *expression) {
    const char *name = nullptr;
    EXPECT_EQ(nvrtcGetLoweredName(program, expression, &name), NVRTC_SUCCESS);
    return name ? name : "";
  }

 private:
  template <class Size, class Get>
  std::string text(Size size, Get get) {
    size_t n = 0;
    EXPECT_EQ(size(program, &n), NVRTC_SUCCESS);
    std::string found(n, '\0');
    EXPECT_EQ(get(program, found.data()), NVRTC_SUCCESS);
    return found;
  }
};

class Modules : public Cuda {
 protected:
  static inline std::string ptx, cubin, fillInt;
  static void SetUpTestSuite() {
    if (!ptx.empty()) return;
    Program program(source, {"fill<int>"});
    ASSERT_EQ(program.compile({"-arch=sm_90"}), NVRTC_SUCCESS) << program.log();
    ptx = program.ptx();
    cubin = program.cubin();
    fillInt = program.lowered("fill<int>");
  }
  CUmodule load(const std::string &image) {
    CUmodule module = nullptr;
    EXPECT_EQ(DRIVER(cuModuleLoadData)(&module, image.data()), CUDA_SUCCESS);
    return module;
  }
  CUfunction function(CUmodule module, const char *name) {
    CUfunction found = nullptr;
    EXPECT_EQ(DRIVER(cuModuleGetFunction)(&found, module, name), CUDA_SUCCESS);
    return found;
  }
  template <class... Arguments>
  CUresult launch(CUfunction function, unsigned grid, unsigned block, unsigned shared, CUstream stream,
                  Arguments... arguments) {
    void *pointers[] = {&arguments..., nullptr};
    return DRIVER(cuLaunchKernel)(function, grid, 1, 1, block, 1, 1, shared, stream, pointers, nullptr);
  }
};

TEST_F(Modules, ComputeFromPtxAndFromCode) {
  for (const std::string &image : {ptx, cubin}) {
    const CUmodule module = load(image);
    float *const from = onDevice<float>({1, 2, 3}), *const to = onDevice<float>({0, 0, 0});
    ASSERT_EQ(launch(function(module, "scale"), 1, 32, 0, nullptr, to, from, 2.5, 2), CUDA_SUCCESS);
    EXPECT_EQ(fromDevice(to, 3), (std::vector<float>{2.5, 5, 0}));
    int *const ints = onDevice<int>({0, 0});
    ASSERT_EQ(launch(function(module, fillInt.c_str()), 1, 2, 0, nullptr, ints, 7), CUDA_SUCCESS);
    EXPECT_EQ(fromDevice(ints, 2), (std::vector<int>{7, 7}));
    EXPECT_EQ(DRIVER(cuModuleUnload)(module), CUDA_SUCCESS);
  }
}

TEST_F(Modules, LiveSideBySide) {
  Program other("extern \"C\" __global__ void other(int *to) { *to = 3; }");
  ASSERT_EQ(other.compile({"-arch=compute_80"}), NVRTC_SUCCESS) << other.log();
  const CUmodule first = load(cubin), second = load(other.ptx());
  int *const data = onDevice<int>({0});
  ASSERT_EQ(launch(function(second, "other"), 1, 1, 0, nullptr, data), CUDA_SUCCESS);
  EXPECT_EQ(fromDevice(data, 1), (std::vector<int>{3}));
  function(first, "scale");
  CUfunction none;
  EXPECT_EQ(DRIVER(cuModuleGetFunction)(&none, first, "other"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(Modules, UnloadAfterTheirWork) {
  const CUmodule module = load(cubin);
  float *const from = onDevice<float>({1}), *const to = onDevice<float>({0});
  ASSERT_EQ(launch(function(module, "scale"), 1, 1, 0, nullptr, to, from, 4.0, 1), CUDA_SUCCESS);
  EXPECT_EQ(DRIVER(cuModuleUnload)(module), CUDA_SUCCESS);
  EXPECT_EQ(fromDevice(to, 1), (std::vector<float>{4}));
}

TEST_F(Modules, KnowTheirParameters) {
  const CUfunction scale = function(load(cubin), "scale");
  const size_t offsets[] = {0, 8, 16, 24}, sizes[] = {8, 8, 8, 4};
  for (size_t i = 0; i < 4; i++) {
    size_t offset, size;
    ASSERT_EQ(DRIVER(cuFuncGetParamInfo)(scale, i, &offset, &size), CUDA_SUCCESS);
    EXPECT_EQ(offset, offsets[i]);
    EXPECT_EQ(size, sizes[i]);
  }
  size_t offset, size;
  EXPECT_EQ(DRIVER(cuFuncGetParamInfo)(scale, 4, &offset, &size), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Modules, RefuseLaunches) {
  const CUmodule module = load(cubin);
  const CUfunction scale = function(module, "scale");
  float *const data = onDevice<float>({1});
  EXPECT_EQ(launch(scale, 1, 1025, 0, nullptr, data, data, 1.0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(scale, 0, 1, 0, nullptr, data, data, 1.0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(scale, 1, 1, 64 * 1024, nullptr, data, data, 1.0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(DRIVER(cuFuncSetAttribute)(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 * 1024),
            CUDA_SUCCESS);
  EXPECT_EQ(launch(scale, 1, 1, 64 * 1024, nullptr, data, data, 1.0, 1), CUDA_SUCCESS);
  EXPECT_EQ(DRIVER(cuFuncSetAttribute)(scale, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20),
            CUDA_ERROR_INVALID_VALUE);
  OK(cudaSetDevice(1));  // another one than the module's
  EXPECT_EQ(launch(scale, 1, 1, 0, nullptr, data, data, 1.0, 1), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);  // of the runtime
  CUfunction none;
  EXPECT_EQ(DRIVER(cuModuleGetFunction)(&none, module, "no_kernel"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(Modules, AreCheckedAsOtherKernelsAre) {
  int *const data = onDevice<int>({0});
  ASSERT_EQ(launch(function(load(ptx), "tooFar"), 1, 1, 0, nullptr, data), CUDA_SUCCESS);
  expectStop(cudaErrorIllegalAddress, "tooFar");
}

TEST_F(Modules, AreOfTheDevice) {
  CUmodule module;
  EXPECT_EQ(DRIVER(cuModuleLoadData)(&module, "no PTX"), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(DRIVER(cuModuleLoadData)(&module, "\x7f\x01"), CUDA_ERROR_INVALID_IMAGE);
  for (const auto &[arch, expected] : std::map<const char *, CUresult>{{"-arch=sm_100", CUDA_ERROR_NO_BINARY_FOR_GPU},
                                                                       {"-arch=sm_80", CUDA_ERROR_NO_BINARY_FOR_GPU}}) {
    Program program("extern \"C\" __global__ void nothing() {}");
    ASSERT_EQ(program.compile({arch}), NVRTC_SUCCESS) << program.log();
    EXPECT_EQ(DRIVER(cuModuleLoadData)(&module, program.cubin().data()), expected) << arch;
  }
  const char *text = nullptr;
  EXPECT_EQ(DRIVER(cuGetErrorString)(CUDA_ERROR_NOT_FOUND, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "named symbol not found");
  EXPECT_EQ(DRIVER(cuGetErrorName)(CUDA_ERROR_NOT_FOUND, &text), CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_NOT_FOUND");
}

// ---- the compiler, which needs no driver ----------------------------------------------------------
TEST(WithoutDevices, ProgramsAreCompiled) {
  Program program("#include \"by.h\"\nextern \"C\" __global__ void f(int *to) { *to = BY; }", {"f"},
                  {"#define BY WORD\n"}, {"by.h"});
  ASSERT_EQ(program.compile({"--gpu-architecture=compute_80", "-DWORD=3"}), NVRTC_SUCCESS) << program.log();
  EXPECT_EQ(program.lowered("f"), "f");
  EXPECT_NE(program.ptx().find(".target compute_80"), std::string::npos);
  EXPECT_TRUE(program.cubin().empty());
  const char *name;
  EXPECT_EQ(nvrtcGetLoweredName(program.program, "g", &name), NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT_EQ(nvrtcAddNameExpression(program.program, "f"), NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
}

TEST(WithoutDevices, ProgramsThatAreWrong) {
  Program wrong("extern \"C\" __global__ void f(int *to) { *to = missing; }");
  EXPECT_EQ(wrong.compile({"-arch=sm_90"}), NVRTC_ERROR_COMPILATION);
  EXPECT_NE(wrong.log().find("program.cu"), std::string::npos);
  EXPECT_NE(wrong.log().find("missing"), std::string::npos);
  Program old("extern \"C\" __global__ void f() {}");
  EXPECT_EQ(old.compile({"-arch=sm_35"}), NVRTC_ERROR_INVALID_OPTION);
  Program unnamed("extern \"C\" __global__ void f() {}", {"g"});
  EXPECT_EQ(unnamed.compile({"-arch=sm_90"}), NVRTC_ERROR_COMPILATION);
  Program good("");
  EXPECT_EQ(good.compile({"--no-such-option"}), NVRTC_ERROR_INVALID_OPTION);
  nvrtcProgram none = nullptr;
  EXPECT_EQ(nvrtcCreateProgram(&none, nullptr, "a", 0, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT);
  EXPECT_EQ(nvrtcDestroyProgram(&none), NVRTC_ERROR_INVALID_PROGRAM);
  EXPECT_STREQ(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION");
}

}  // namespace
