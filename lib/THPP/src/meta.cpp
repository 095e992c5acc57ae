// Which tensor a view is a view of.
#include <THPP/Meta.h>

#include <THPP/Guard.h>

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
  meta->creation = cut ? Creation::NoGrad : its && its->creation == Creation::Several ? its->creation : creation;
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

}  // namespace thpp
