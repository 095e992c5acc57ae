// Copies and fills: checked when they are asked for, carried out in stream order.
//
// A copy from pageable memory takes the bytes at once; to pageable memory it waits for the stream. Page-locked memory is
// read and written when the copy's turn has come.
#include <cstring>

#include "runtime.hpp"

namespace hostcuda {
namespace {

struct Box {  // rows of bytes
  size_t pitch, width, height;
  size_t span() const { return width && height ? pitch * (height - 1) + width : 0; }
};

void copyRows(char *to, size_t toPitch, const char *from, size_t fromPitch, const Box &box) {
  if (toPitch == box.width && fromPitch == box.width)
    std::memmove(to, from, box.width * box.height);
  else
    for (size_t i = 0; i < box.height; i++) std::memmove(to + i * toPitch, from + i * fromPitch, box.width);
}

bool onDevice(const Place &place) { return place.kind != Kind::pageable; }  // page-locked memory has a device's address
bool onHost(const Place &place) { return place.kind != Kind::device; }

bool agrees(const Place &to, const Place &from, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost: return onHost(to) && onHost(from);
    case cudaMemcpyHostToDevice: return onDevice(to) && onHost(from);
    case cudaMemcpyDeviceToHost: return onHost(to) && onDevice(from);
    case cudaMemcpyDeviceToDevice: return onDevice(to) && onDevice(from);
    case cudaMemcpyDefault: return true;
  }
  return false;
}

cudaError_t copy(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                 cudaMemcpyKind kind, cudaStream_t handle, bool wait) {
  const StreamRef stream = findStream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (unsigned(kind) > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (height > 1 && (width > toPitch || width > fromPitch)) return cudaErrorInvalidPitchValue;
  if (!width || !height) return cudaSuccess;
  if (!to || !from) return cudaErrorInvalidValue;
  const Box box{toPitch, width, height}, source{fromPitch, width, height};
  const Place there = placeOf(to), here = placeOf(from);
  if (!agrees(there, here, kind)) return cudaErrorInvalidValue;
  if (there.kind != Kind::pageable && !isInside(there, to, box.span())) return cudaErrorInvalidValue;
  if (here.kind != Kind::pageable && !isInside(here, from, source.span())) return cudaErrorInvalidValue;

  Task task;
  char *target = static_cast<char *>(to);
  if (here.kind == Kind::pageable) {
    auto staged = std::make_shared<std::vector<char>>(width * height);
    copyRows(staged->data(), width, static_cast<const char *>(from), fromPitch, box);
    task.staged = staged->size();
    task.run = [=] {
      copyRows(target, toPitch, staged->data(), width, box);
      return cudaSuccess;
    };
  } else {
    task.run = [=] {
      copyRows(target, toPitch, static_cast<const char *>(from), fromPitch, box);
      return cudaSuccess;
    };
  }
  enqueue(stream, std::move(task));
  const bool hostTakesPart = onHost(there) || onHost(here);
  if ((wait && hostTakesPart) || there.kind == Kind::pageable) {
    finish({stream, stream->enqueued});
    return device(stream->device).sticky;
  }
  return cudaSuccess;
}

cudaError_t fill(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t handle) {
  const StreamRef stream = findStream(handle);
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (height > 1 && width > pitch) return cudaErrorInvalidPitchValue;
  if (!width || !height) return cudaSuccess;
  const Box box{pitch, width, height};
  const Place there = placeOf(to);
  if (there.kind == Kind::pageable || !isInside(there, to, box.span())) return cudaErrorInvalidValue;
  Task task;
  task.run = [=] {
    for (size_t i = 0; i < box.height; i++) std::memset(static_cast<char *>(to) + i * box.pitch, value, box.width);
    return cudaSuccess;
  };
  enqueue(stream, std::move(task));
  return cudaSuccess;
}

cudaError_t copyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes, cudaStream_t stream,
                     bool wait) {
  const int devices = settings().devices;
  if (toDevice < 0 || toDevice >= devices || fromDevice < 0 || fromDevice >= devices) return cudaErrorInvalidDevice;
  if (!bytes) return cudaSuccess;
  if (placeOf(to).kind != Kind::device || placeOf(to).device != toDevice || placeOf(from).kind != Kind::device ||
      placeOf(from).device != fromDevice)
    return cudaErrorInvalidValue;
  return copy(to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice, stream, wait);
}

}  // namespace
}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  return call([=] { return copy(to, bytes, from, bytes, bytes, 1, kind, nullptr, true); });
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return call([=] { return copy(to, bytes, from, bytes, bytes, 1, kind, stream, false); });
}

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return call([=] { return copy(to, toPitch, from, fromPitch, width, height, kind, nullptr, true); });
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return call([=] { return copy(to, toPitch, from, fromPitch, width, height, kind, stream, false); });
}

cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes) {
  return call([=] { return copyPeer(to, toDevice, from, fromDevice, bytes, nullptr, true); });
}

cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes,
                                cudaStream_t stream) {
  return call([=] { return copyPeer(to, toDevice, from, fromDevice, bytes, stream, false); });
}

cudaError_t cudaMemset(void *to, int value, size_t bytes) {
  return call([=] { return fill(to, bytes, value, bytes, 1, nullptr); });
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
  return call([=] { return fill(to, bytes, value, bytes, 1, stream); });
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return call([=] { return fill(to, pitch, value, width, height, nullptr); });
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return call([=] { return fill(to, pitch, value, width, height, stream); });
}

}  // extern "C"
