// torch._nvrtc: from a source to PTX or to a device's code.
#include <nvrtc.h>

#include <cstring>
#include <vector>

#include "python.h"

namespace torch::nvrtc {

namespace {

void check(nvrtcResult result, const char *call) {
  if (result != NVRTC_SUCCESS) throw std::runtime_error(std::string(call) + ": " + nvrtcGetErrorString(result));
}
#define NVRTC(function, ...) check(function(__VA_ARGS__), #function)

struct Program {
  nvrtcProgram handle = nullptr;
  Program(const char *source, const char *name, const std::vector<const char *> &headers,
          const std::vector<const char *> &names) {
    NVRTC(nvrtcCreateProgram, &handle, source, name, int(headers.size()), headers.data(), names.data());
  }
  Program(const Program &) = delete;
  ~Program() { nvrtcDestroyProgram(&handle); }
  std::string log() const {
    size_t size = 0;
    NVRTC(nvrtcGetProgramLogSize, handle, &size);
    std::string text(size, '\0');
    NVRTC(nvrtcGetProgramLog, handle, text.data());
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }
};

// Texts end with a null byte there.
const char *text_of(PyObject *object) {
  Py_ssize_t size;
  const char *const text = PyUnicode_AsUTF8AndSize(object, &size);
  if (!text) throw PythonError();
  if (std::strlen(text) != size_t(size)) {
    PyErr_Format(PyExc_ValueError, "a text for NVRTC must not hold a null character: %R", object);
    throw PythonError();
  }
  return text;
}

// The texts of a sequence of str, which it keeps.
std::vector<const char *> texts_of(PyObject *sequence, Object &keeper) {
  keeper = owned(PySequence_Fast(sequence, "a sequence of str is expected"));
  std::vector<const char *> texts;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(keeper.get()); i++)
    texts.push_back(text_of(PySequence_Fast_GET_ITEM(keeper.get(), i)));
  return texts;
}

template <class Size, class Get>
Object bytes_of(const Program &program, Size size_of, Get get) {
  size_t size = 0;
  check(size_of(program.handle, &size), "the size of the result");
  Object bytes = owned(PyBytes_FromStringAndSize(nullptr, Py_ssize_t(size)));
  check(get(program.handle, PyBytes_AS_STRING(bytes.get())), "the result");
  return bytes;
}

constexpr char compile_doc[] =
    "compile(source, name, options=(), headers={}, expressions=(), cubin=False): (image, names).\n\n"
    "Compiles a source, a str that messages call `name`, with NVRTC's options, such as \"--gpu-architecture=sm_90\".\n"
    "headers: {name in #include: its text}. expressions: names of kernels, also of templates (\"fill<float>\"); names has\n"
    "what each is called in the image. The image is bytes: PTX, or with `cubin` the code of that architecture.\n"
    "RuntimeError with the compiler's messages if it does not compile. Needs no driver.";

PyObject *compile(PyObject *, PyObject *args, PyObject *kwargs) {
  static const char *keywords[] = {"source", "name", "options", "headers", "expressions", "cubin", nullptr};
  const char *source, *name;
  PyObject *options = nullptr, *headers = nullptr, *expressions = nullptr;
  int cubin = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "ss|OO!Op:compile", const_cast<char **>(keywords), &source, &name,
                                   &options, &PyDict_Type, &headers, &expressions, &cubin))
    return nullptr;
  return guarded([&] {
    const Object none = owned(PyTuple_New(0));
    Object kept_options, kept_expressions;
    const std::vector<const char *> flags = texts_of(options ? options : none.get(), kept_options);
    const std::vector<const char *> kernels = texts_of(expressions ? expressions : none.get(), kept_expressions);
    std::vector<const char *> files, texts;
    Py_ssize_t at = 0;
    for (PyObject *key, *value; headers && PyDict_Next(headers, &at, &key, &value);) {
      files.push_back(text_of(key));
      texts.push_back(text_of(value));
    }
    const Program program(source, name, texts, files);
    for (const char *kernel : kernels) NVRTC(nvrtcAddNameExpression, program.handle, kernel);
    nvrtcResult result;
    {
      const WithoutGil free;
      result = nvrtcCompileProgram(program.handle, int(flags.size()), flags.data());
    }
    if (result != NVRTC_SUCCESS)
      throw std::runtime_error("Kernel compilation failed:\n" + program.log() + "\n" + name + ": " +
                               nvrtcGetErrorString(result));
    const Object image = cubin ? bytes_of(program, nvrtcGetCUBINSize, nvrtcGetCUBIN)
                               : bytes_of(program, nvrtcGetPTXSize, nvrtcGetPTX);
    if (PyBytes_GET_SIZE(image.get()) == 0)
      throw std::runtime_error(
          "no code of a device comes from options that name none (--gpu-architecture=sm_…): PTX does");
    const Object names = owned(PyTuple_New(Py_ssize_t(kernels.size())));
    for (size_t i = 0; i < kernels.size(); i++) {
      const char *lowered = nullptr;
      NVRTC(nvrtcGetLoweredName, program.handle, kernels[i], &lowered);
      PyTuple_SET_ITEM(names.get(), Py_ssize_t(i), owned(PyUnicode_FromString(lowered)).release());
    }
    return Py_BuildValue("OO", image.get(), names.get());
  });
}

PyObject *version(PyObject *, PyObject *) {
  return guarded([] {
    int major, minor;
    NVRTC(nvrtcVersion, &major, &minor);
    return Py_BuildValue("ii", major, minor);
  });
}

PyObject *architectures(PyObject *, PyObject *) {
  return guarded([] {
    int count = 0;
    NVRTC(nvrtcGetNumSupportedArchs, &count);
    std::vector<int> found(static_cast<size_t>(count));
    NVRTC(nvrtcGetSupportedArchs, found.data());
    const Object list = owned(PyList_New(count));
    for (int i = 0; i < count; i++) PyList_SET_ITEM(list.get(), i, owned(PyLong_FromLong(found[size_t(i)])).release());
    return Py_NewRef(list.get());
  });
}

}  // namespace

PyMethodDef compiler_functions[] = {
    {"compile", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(compile)), METH_VARARGS | METH_KEYWORDS,
     compile_doc},
    {"version", version, METH_NOARGS, "(major, minor) of NVRTC."},
    {"architectures", architectures, METH_NOARGS, "What it compiles for: a list of ints, 90 for sm_90."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::nvrtc
