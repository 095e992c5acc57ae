// torch.frombuffer: a tensor over the memory of any object with the buffer protocol.
#include <iterator>
#include <utility>

#include <torch_python/gil.h>

#include "construct.h"
#include "errors.h"
#include "functions.h"
#include "native.h"
#include "storage_ref.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

static void release_view(void *context, void *) {
  Py_buffer *view = static_cast<Py_buffer *>(context);
  if (const HoldGil held; held) PyBuffer_Release(view);
  delete view;
}

Tensor tensor_over_buffer(PyObject *object, THDtype dtype, int64_t count, int64_t offset) {
  const int64_t item = int64_t(TH_elementSize(dtype));
  if (!PyObject_CheckBuffer(object)) raise(PyExc_ValueError, "object does not implement Python buffer protocol.");
  Py_buffer *view = new Py_buffer;
  if (PyObject_GetBuffer(object, view, PyBUF_WRITABLE) < 0) {
    PyErr_Clear();
    if (PyObject_GetBuffer(object, view, PyBUF_SIMPLE) < 0) {
      delete view;
      PyErr_Clear();
      raise(PyExc_RuntimeError, "could not retrieve buffer from object");
    }
  }
  // From here on the storage owns the view, also when one of the checks below raises.
  const int64_t length = view->len;
  const StorageRef storage(THStorage_newWithData(view->buf, size_t(length), release_view, view));
  static bool warned;
  if (view->readonly && !std::exchange(warned, true) &&
      PyErr_WarnEx(
          PyExc_UserWarning,
          "The given buffer is not writable, but the tensor over its memory is: what is written to the tensor changes "
          "the buffer. A copy, as bytearray(buffer), is safe from that. This is said once.",
          1) < 0)
    throw PythonError();
  if (length == 0 || count == 0)
    raise(PyExc_ValueError, "both buffer length (%lld) and count (%lld) must not be 0", (long long)length,
          (long long)count);
  if (offset < 0 || offset >= length)
    raise(PyExc_ValueError,
          "offset (%lld bytes) must be non-negative and no greater than buffer length (%lld bytes) minus 1",
          (long long)offset, (long long)length);
  if (count < 0) {
    if ((length - offset) % item)
      raise(PyExc_ValueError,
            "buffer length (%lld bytes) after offset (%lld bytes) must be a multiple of element size (%lld)",
            (long long)length, (long long)offset, (long long)item);
    count = (length - offset) / item;
  }
  if (count > (length - offset) / item)
    raise(PyExc_ValueError,
          "requested buffer length (%lld * %lld bytes) after offset (%lld bytes) must not be greater than actual "
          "buffer length (%lld bytes)",
          (long long)count, (long long)item, (long long)offset, (long long)length);
  if (offset % item)
    raise(PyExc_ValueError, "offset (%lld bytes) must be a multiple of element size (%lld)", (long long)offset,
          (long long)item);
  return Tensor::steal(THTensor_newWithStorage(dtype, storage.get(), offset / item, 1, &count, nullptr));
}

NATIVE_OPERATOR(frombuffer, {"buffer", ArgType::Object, 0, nullptr}, {"dtype", ArgType::Dtype, kKwargOnly, nullptr},
                {"count", ArgType::Int, kOptional | kKwargOnly, "-1"},
                {"offset", ArgType::Int, kOptional | kKwargOnly, "0"},
                {"requires_grad", ArgType::RequiresGrad, kOptional | kKwargOnly, "False"});
static PyObject *frombuffer_call(Args &args) {
  return wrap(tensor_over_buffer(args.object(0), args.dtype(1), args.integer(2, -1), args.integer(3, 0)));
}

PyMethodDef buffer_functions[] = {
    function_row<op_frombuffer>(),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
