// NVRTC: compiles a program by this toolkit's own nvcc and the host's compiler, to a shared object that the driver
// (driver.cpp) loads. The compiler is NVCC_CCBIN, or the g++ of the path.
#include <dlfcn.h>
#include <fcntl.h>
#include <host_cuda/module.h>
#include <nvrtc.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

struct _nvrtcProgram {
  std::string source, name;
  std::map<std::string, std::string> headers;
  std::vector<std::string> expressions;
  bool compiled = false;
  std::string log, ptx, cubin;
  std::map<std::string, std::string> lowered;
};

namespace {

constexpr int architectures[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "nvrtc-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

std::string contents(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Does a command, whose messages go to `log`, end well? No shell: a builder's sandbox need not have one.
bool runs(const std::vector<std::string> &words, const fs::path &log) {
  std::vector<char *> arguments;
  for (const std::string &word : words) arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) {
    std::ofstream(log) << "cannot start " << words[0] << ": " << std::strerror(error) << "\n";
    return false;
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

fs::path toolkit() {
  Dl_info info;
  dladdr(reinterpret_cast<const void *>(nvrtcVersion), &info);
  return fs::canonical(info.dli_fname).parent_path().parent_path();
}

// Kernels that have their names without being asked for: those of C linkage, written in one line of words.
std::vector<std::string> kernelsOfC(const std::string &source) {
  static const std::regex kernel(
      R"(extern\s+"C"\s+__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*\()");
  std::vector<std::string> names;
  for (std::sregex_iterator i(source.begin(), source.end(), kernel), end; i != end; ++i) names.push_back((*i)[1]);
  return names;
}

std::string withTable(const _nvrtcProgram &program, int architecture) {
  std::vector<std::string> expressions = program.expressions;
  for (const std::string &name : kernelsOfC(program.source))
    if (std::find(expressions.begin(), expressions.end(), name) == expressions.end()) expressions.push_back(name);
  std::ostringstream text;
  text << "#line 1 \"" << program.name << "\"\n" << program.source << "\n#include <host_cuda/module.h>\n";
  text << "extern \"C\" const int hostcudaArchitecture = " << architecture << ";\n";
  text << "extern \"C\" const hostcuda::KernelEntry hostcudaKernels[] = {\n";
  for (const std::string &expression : expressions)
    text << "  hostcuda::kernelEntry(R\"(" << expression << ")\", &" << expression << "),\n";
  text << "  {nullptr, nullptr, nullptr}};\n";
  return text.str();
}

// The names of the program's kernels in the object; false if one has none that others could find.
bool findNames(_nvrtcProgram &program, const fs::path &object) {
  void *handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    program.log += std::string(dlerror()) + "\n";
    return false;
  }
  bool found = true;
  for (auto *kernel = static_cast<const hostcuda::KernelEntry *>(dlsym(handle, "hostcudaKernels")); kernel->expression;
       kernel++) {
    Dl_info info;
    const bool exported = dladdr(kernel->function, &info) && info.dli_sname && info.dli_saddr == kernel->function;
    if (exported) program.lowered[kernel->expression] = info.dli_sname;
    found = found && exported;
  }
  dlclose(handle);
  return found;
}

std::string textOf(const std::string &object, const std::string &target,
                   const std::map<std::string, std::string> &lowered) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string
      text = "//\n// Made by the host CUDA's NVRTC: no instructions, but an object for the host.\n//\n\n.version 9.0\n";
  text += ".target " + target + "\n.address_size 64\n\n";
  for (const auto &[expression, name] : lowered) text += ".visible .entry " + name + "\n";
  text += "\n// object ";
  for (const unsigned char c : object) text += digits[c >> 4], text += digits[c & 15];
  return text + "\n";
}

// What is in options like -arch=sm_90, or "".
std::string architectureIn(const std::vector<std::string> &options) {
  static const std::regex option("(?:-arch|--gpu-architecture)=(.*)");
  std::smatch match;
  std::string found;
  for (const std::string &text : options)
    if (std::regex_match(text, match, option)) found = match[1];
  return found;
}

nvrtcResult compile(_nvrtcProgram &program, std::vector<std::string> options) {
  std::string target = architectureIn(options);
  if (target.empty()) options.push_back("-arch=" + (target = "compute_75"));
  const bool real = target.starts_with("sm_");
  const Folder folder;
  const fs::path source = folder.path / "program.cu", object = folder.path / "program.o",
                 shared = folder.path / "program.so", log = folder.path / "log";
  const int architecture = std::atoi(target.c_str() + target.find('_') + 1);
  std::ofstream(source) << withTable(program, architecture);
  for (const auto &[name, text] : program.headers) {
    const fs::path header = folder.path / "include" / name;
    fs::create_directories(header.parent_path());
    std::ofstream(header) << text;
  }
  const char *const asked = std::getenv("NVCC_CCBIN");
  const std::string compiler = asked && *asked ? asked : "g++";
  const fs::path home = toolkit();
  std::vector<std::string> command = {home / "bin/nvcc", "-ccbin", compiler, "-I", folder.path / "include"};
  command.insert(command.end(), options.begin(), options.end());
  // This toolkit's headers are of C++20, whatever the program asks for; an option that comes later wins.
  command.insert(command.end(), {"-std=c++20", "-c", source, "-o", object});
  const bool compiled = runs(command, log);
  program.log = contents(log);
  if (!compiled)
    return program.log.find("nvcc fatal") == std::string::npos ? NVRTC_ERROR_COMPILATION : NVRTC_ERROR_INVALID_OPTION;
  if (!runs({compiler, "-shared", object, "-o", shared, "-L" + (home / "lib").string(),
             "-Wl,-rpath," + (home / "lib").string(), "-Wl,--no-as-needed", "-lcudart"},
            log)) {
    program.log += contents(log);
    return NVRTC_ERROR_COMPILATION;
  }
  if (!findNames(program, shared)) return NVRTC_ERROR_COMPILATION;
  const std::string code = contents(shared);
  program.ptx = textOf(code, target, program.lowered);
  if (real) program.cubin = code;
  return NVRTC_SUCCESS;
}

}  // namespace

extern "C" {

const char *nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define NAME(name) \
  case name: return #name;
    NAME(NVRTC_SUCCESS)
    NAME(NVRTC_ERROR_OUT_OF_MEMORY)
    NAME(NVRTC_ERROR_PROGRAM_CREATION_FAILURE)
    NAME(NVRTC_ERROR_INVALID_INPUT)
    NAME(NVRTC_ERROR_INVALID_PROGRAM)
    NAME(NVRTC_ERROR_INVALID_OPTION)
    NAME(NVRTC_ERROR_COMPILATION)
    NAME(NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    NAME(NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    NAME(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID)
    NAME(NVRTC_ERROR_INTERNAL_ERROR)
#undef NAME
  }
  return "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13, *minor = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = int(std::size(architectures));
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *to) {
  if (!to) return NVRTC_ERROR_INVALID_INPUT;
  std::copy(std::begin(architectures), std::end(architectures), to);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int numHeaders,
                               const char *const *headers, const char *const *includeNames) {
  if (!program || !source || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  auto *made = new _nvrtcProgram;
  made->source = source;
  made->name = name ? name : "default_program";
  for (int i = 0; i < numHeaders; i++) made->headers[includeNames[i]] = headers[i];
  *program = made;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (!program || !*program) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression) return NVRTC_ERROR_INVALID_INPUT;
  if (program->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  program->expressions.push_back(expression);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int numOptions, const char *const *options) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (numOptions < 0 || (numOptions && !options)) return NVRTC_ERROR_INVALID_INPUT;
  program->compiled = true;
  try {
    return compile(*program, std::vector<std::string>(options, options + numOptions));
  } catch (const std::exception &error) {
    program->log += error.what();
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

// Texts count the null byte at their end, code does not.
#define GETTERS(Size, Get, member, end) \
  nvrtcResult nvrtcGet##Size(nvrtcProgram program, size_t *size) { \
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM; \
    if (!size) return NVRTC_ERROR_INVALID_INPUT; \
    *size = program->member.size() + (end); \
    return NVRTC_SUCCESS; \
  } \
  nvrtcResult nvrtcGet##Get(nvrtcProgram program, char *to) { \
    if (!program) return NVRTC_ERROR_INVALID_PROGRAM; \
    if (!to) return NVRTC_ERROR_INVALID_INPUT; \
    std::memcpy(to, program->member.c_str(), program->member.size() + (end)); \
    return NVRTC_SUCCESS; \
  }
GETTERS(ProgramLogSize, ProgramLog, log, 1)
GETTERS(PTXSize, PTX, ptx, 1)
GETTERS(CUBINSize, CUBIN, cubin, 0)
#undef GETTERS

nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!expression || !name) return NVRTC_ERROR_INVALID_INPUT;
  if (!program->compiled) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto &asked = program->expressions;
  const auto found = program->lowered.find(expression);
  if (std::find(asked.begin(), asked.end(), expression) == asked.end() || found == program->lowered.end())
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *name = found->second.c_str();
  return NVRTC_SUCCESS;
}

}  // extern "C"
