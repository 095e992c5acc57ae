// Which devices can run code that was compiled for a list of architectures.
#pragma once

namespace thc {

// `list` has the toolkit's names, "sm_90 sm_120a compute_90". Code of sm_XY runs on devices X.Y and later X.z, that of
// compute_XY is compiled on the device for its own and all later ones; with "a" behind it on X.Y only, with "f" on those
// of its family, X.Y and later X.z.
bool runsOn(const char *list, int major, int minor);

}  // namespace thc
