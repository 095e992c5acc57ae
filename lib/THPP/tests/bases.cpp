// What views remember of what they are views of.
#include <THPP/Inference.h>

#include "tensors.hpp"

namespace {

const Meta *meta_of(const Tensor &t) { return static_cast<const Meta *>(t.get()->meta); }
THTensor *base_of(const Tensor &t) { return meta_of(t) ? meta_of(t)->base : nullptr; }

TEST(Bases, AViewOfAViewHasTheFirstBase) {
  const Tensor a = counted({2, 3});
  const Tensor row = select(a, 0, 1), part = narrow(row, 0, 1, 2);
  EXPECT_EQ(base_of(a), nullptr);
  EXPECT_EQ(base_of(row), a.get());
  EXPECT_EQ(base_of(part), a.get());
  EXPECT_TRUE(part.get()->flags & TH_VIEW);
}

TEST(Bases, CopiesAndDetachedTensorsHaveNone) {
  const Tensor a = counted({2, 3});
  EXPECT_EQ(base_of(clone(a)), nullptr);
  EXPECT_EQ(base_of(detach(a)), nullptr);
  EXPECT_EQ(base_of(reshape(transpose(a, 0, 1), {6})), nullptr);
  EXPECT_EQ(base_of(reshape(a, {6})), a.get());
  EXPECT_EQ(base_of(_unsafe_view(a, {6})), nullptr);
}

TEST(Bases, ABaseLivesAsLongAsItsViews) {
  Tensor a = counted({2, 3});
  const Tensor row = select(a, 0, 1);
  THTensor *const base = a.get();
  a = Tensor();
  EXPECT_EQ(base_of(row), base);
  EXPECT_EQ(numbers(row), (V{3, 4, 5}));
}

TEST(Bases, SeveralViewsOfOneCallAreMarked) {
  const Tensor a = counted({2, 3});
  for (const Tensor &row : unbind(a, 0)) EXPECT_EQ(meta_of(row)->creation, Creation::Several);
  for (const Tensor &part : chunk(a, 3, 1)) EXPECT_EQ(meta_of(part)->creation, Creation::Several);
  EXPECT_EQ(meta_of(select(unbind(a, 0)[0], 0, 1))->creation, Creation::Several);
}

TEST(Bases, WithoutRecordingAViewIsCut) {
  const Tensor a = counted({2, 3});
  set_grad_mode(false);
  const Tensor row = select(a, 0, 1);
  set_grad_mode(true);
  EXPECT_EQ(base_of(row), a.get());
  EXPECT_EQ(row.get()->flags & (TH_VIEW | TH_CUT_VIEW), TH_CUT_VIEW);
  EXPECT_EQ(meta_of(select(row, 0, 0))->creation, Creation::NoGrad);
}

TEST(Bases, InInferenceModeAViewIsCutAndSaysSo) {
  const Tensor a = counted({2, 3});
  set_inference_mode(true);
  const Tensor row = select(a, 0, 1);
  set_inference_mode(false);
  EXPECT_EQ(meta_of(row)->creation, Creation::Inference);
  EXPECT_EQ(meta_of(select(row, 0, 0))->creation, Creation::Inference);
}

TEST(Bases, ABaseThatIsRecordedConcernsViewsMadeBefore) {
  const Tensor a = counted({2, 3}), before = select(a, 0, 1);
  EXPECT_FALSE(guard_flags(before) & TH_RECORDED);
  a.get()->flags |= TH_RECORDED;  // as requires_grad_() and a recorded write do
  EXPECT_TRUE(guard_flags(before) & TH_RECORDED);
  a.get()->flags &= uint8_t(~TH_RECORDED);
  EXPECT_FALSE(guard_flags(before) & TH_RECORDED);
}

}  // namespace
