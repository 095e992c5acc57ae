// Which tensor a view is a view of.
#include <THPP/Meta.h>

#include <THPP/Guard.h>
#include <THPP/Inference.h>

namespace thpp {

namespace {

void release_meta(void *meta) {
  auto *const self = static_cast<Meta *>(meta);
  THTensor_free(self->base);
  TH_free(self, sizeof(Meta));
}

void link(const Tensor &view, const Tensor &of, Creation creation) {
  THTensor *const t = view.get(), *const original = of.get();
  if (t == original || t->meta || t->storage != original->storage) return;
  const auto *const its = static_cast<const Meta *>(original->meta);
  const bool cut = !grad_mode() || (original->flags & TH_CUT_VIEW);
  auto *const meta = static_cast<Meta *>(TH_alloc(sizeof(Meta)));
  meta->release = release_meta;
  meta->base = its && its->base ? its->base : original;
  if (!grad_mode())
    meta->creation = inference_mode() ? Creation::Inference : Creation::NoGrad;
  else
    meta->creation = its && (cut || its->creation == Creation::Several) ? its->creation : creation;
  meta->made_at = view.version();
  THTensor_retain(meta->base);
  t->meta = meta;
  t->flags |= cut ? TH_CUT_VIEW : TH_VIEW;
}

}  // namespace

void link_view(const Tensor &view, const Tensor &of) { link(view, of, Creation::Plain); }

void link_view(const std::vector<Tensor> &views, const Tensor &of) {
  for (const Tensor &view : views) {
    link(view, of, Creation::Several);
    auto *const meta = static_cast<Meta *>(view.get()->meta);
    // Made by a part of the call, as a view of its own.
    if (meta && meta->creation == Creation::Plain && !view.is_same(of)) meta->creation = Creation::Several;
  }
}

// Whether nobody but these views, and nothing recorded, knows their base.
static bool is_hidden(const THTensor *base, TensorList views) {
  int32_t known = 0;
  for (const Tensor &view : views) {
    const auto *const meta = view.defined() ? static_cast<const Meta *>(view.get()->meta) : nullptr;
    known += meta && meta->base == base;
  }
  return !(base->flags & TH_RECORDED) && __atomic_load_n(&base->refcount, __ATOMIC_ACQUIRE) == known;
}

static void forget(TensorList results, bool any) {
  std::vector<THTensor *> hidden;
  for (const Tensor &result : results) {
    THTensor *const t = result.get();
    auto *const meta = t ? static_cast<Meta *>(t->meta) : nullptr;
    // A longer struct is libtorch's, of a tensor with a past.
    if (!meta || !meta->base || meta->release != release_meta) continue;
    if (__atomic_load_n(&t->refcount, __ATOMIC_ACQUIRE) == 1 && (any || is_hidden(meta->base, results)))
      hidden.push_back(t);
  }
  for (THTensor *t : hidden) {
    release_meta(t->meta);
    t->meta = nullptr;
    t->flags &= uint8_t(~(TH_VIEW | TH_CUT_VIEW));
  }
}

void forget_base(TensorList results) { forget(results, false); }
void forget_any_base(TensorList results) { forget(results, true); }

}  // namespace thpp
