"""The kernels of libTHNN by their C names, generated from THNN.h: torch._thnn._THNN.FloatTanh_updateOutput and so on."""
