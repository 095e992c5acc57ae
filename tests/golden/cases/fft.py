"""Fourier transforms. `half` inputs are refused; what has no points raises."""

from golden.row import codes, each, errors

C = "c64 c128"
R = "f32 f64"
LINES = ("$ 8", "$ 1", "$ 2", "$ 3", "$ 5", "$ 7", "$ 11", "$ 13", "$ 30", "$ 2x6", "$ 9x4", "$ 3x2x5")
LAYOUTS = ("$ 4x6 T", "$ 5x8 S", "$ 3x9 E", "$ 17x4 T")
BOTH = each(f"{R} {C}", *LINES, *LAYOUTS)
OTHERS = ("f16 4", "bf16 4", "b1 5", "u8 6", "i64 2x4", "f32 -", "c64 -", "f32 0", "c64 0", "f32 3x0")
REAL = each(R, *LINES, *LAYOUTS) + OTHERS
LONG = ("f32 64", "c64 67", "f64 100", "c128 64", "c64 2x64 S", "f32 1009", "c64 1009", "f64 2003", "c128 1024", "c64 2187", "f32 2048", "f32 2046", "c64 8x1000", "f64 3x1000")
FEW = ("f32 3x4", "c64 3x4", "f64 5x6 T", "c128 2x3x4", "i32 2x5")
MATRICES = each(f"{R} {C}", "$ 3x4", "$ 4x4", "$ 1x1", "$ 2x3x4", "$ 5x6 T", "$ 4x3x2 S") + (
    "i64 3x4", "b1 2x2", "f16 2x2", "f32 -", "f32 3", "c64 3")
ODD = ("f32 3x4", "c64 4x4", "f64 2x3x4", "c128 5x3 T", "i64 3x4", "f16 2x2", "f32 -", "c64 3")
MODES = ("f32 10", "f64 2x9", "c64 7", "c128 3x8")

ROWS = [
    *codes(BOTH + OTHERS, """
        torch.fft.fft(a)
        torch.fft.ifft(a)
    """, "near"),
    *codes(REAL + ("c64 4",), """
        torch.fft.rfft(a)
        torch.fft.ihfft(a)
    """, "near"),
    *codes(BOTH + OTHERS, """
        torch.fft.irfft(a)
        torch.fft.hfft(a)
    """, "near"),
    *codes(LONG, """
        torch.fft.fft(a, norm="ortho")[..., ::97]
        torch.fft.ifft(a)[..., 1::97]
        torch.fft.irfft(a, norm="ortho")[..., ::97]
        torch.fft.hfft(a, a.shape[-1], norm="ortho")[..., 1::97]
    """, "near"),
    *codes(tuple(k for k in LONG if k[0] != "c"), """
        torch.fft.rfft(a, norm="ortho")[..., ::97]
        torch.fft.ihfft(a)[..., 1::97]
    """, "near"),
    *codes(FEW, """
        torch.fft.fft(a, 3)
        torch.fft.fft(a, n=9, dim=0)
        torch.fft.fft(a, 1, 0)
        torch.fft.fft(a, dim=-2)
        torch.fft.ifft(a, 6, -2, "forward")
        torch.fft.ifft(input=a, n=2, dim=1, norm="ortho")
        torch.fft.irfft(a, 5)
        torch.fft.irfft(a, 8, 0)
        torch.fft.irfft(a, n=3, dim=1)
        torch.fft.irfft(a, 1)
        torch.fft.hfft(a, 7, 0)
        torch.fft.hfft(a, 2, 1, "forward")
    """, "near"),
    *codes(("f32 3x4", "f64 5x6 T", "f64 2x3x4", "i32 2x5", "u8 4x3"), """
        torch.fft.rfft(a, 3)
        torch.fft.rfft(a, 8, 0)
        torch.fft.rfft(a, dim=0, norm="ortho")
        torch.fft.ihfft(a, 5, -2)
        torch.fft.ihfft(a, 1)
        torch.fft.ihfft(a, 4, 1, "forward")
    """, "near"),
    *codes(MODES, """
        torch.fft.fft(a, norm="backward")
        torch.fft.fft(a, norm="forward")
        torch.fft.fft(a, norm="ortho")
        torch.fft.fft(a, norm=None)
        torch.fft.ifft(a, norm="backward")
        torch.fft.ifft(a, norm="forward")
        torch.fft.ifft(a, norm="ortho")
        torch.fft.irfft(a, norm="backward")
        torch.fft.irfft(a, norm="forward")
        torch.fft.irfft(a, norm="ortho")
        torch.fft.hfft(a, norm="backward")
        torch.fft.hfft(a, norm="forward")
        torch.fft.hfft(a, norm="ortho")
        torch.fft.fftn(a, norm="forward")
        torch.fft.ifftn(a, norm="ortho")
        torch.fft.irfftn(a, norm="forward")
        torch.fft.hfftn(a, norm="ortho")
    """, "near"),
    # several dimensions
    *codes(MATRICES, """
        torch.fft.fft2(a)
        torch.fft.ifft2(a)
        torch.fft.irfft2(a)
        torch.fft.hfft2(a)
        torch.fft.fftn(a)
        torch.fft.ifftn(a)
        torch.fft.irfftn(a)
        torch.fft.hfftn(a)
    """, "near"),
    *codes(ODD, """
        torch.fft.fft2(a, (3, 2))
        torch.fft.fft2(a, s=(-1, 5), dim=(0, 1))
        torch.fft.fft2(a, dim=(-1, 0))
        torch.fft.ifft2(a, s=(2, 6), dim=(1, 0), norm="ortho")
        torch.fft.irfft2(a, s=(4, 3))
        torch.fft.irfft2(a, s=(2, -1), dim=(1, 0))
        torch.fft.hfft2(a, s=(5, 4), norm="forward")
        torch.fft.fftn(a, dim=())
        torch.fft.fftn(a, dim=0)
        torch.fft.fftn(a, 3)
        torch.fft.fftn(a, s=(2, 4))
        torch.fft.ifftn(a, dim=(1,), norm="forward")
        torch.fft.irfftn(a, s=(5,))
        torch.fft.irfftn(a, dim=(0, 1))
        torch.fft.hfftn(a, (3, 7), (0, 1))
        torch.fft.irfftn(a, dim=())
        torch.fft.hfftn(a, dim=())
    """, "near"),
    *codes(tuple(k for k in MATRICES if k[0] != "c") + ("c64 2x2",), """
        torch.fft.rfft2(a)
        torch.fft.ihfft2(a)
        torch.fft.rfftn(a)
        torch.fft.ihfftn(a)
        torch.fft.rfft2(a, s=(3, 5))
        torch.fft.rfft2(a, dim=(1, 0), norm="ortho")
        torch.fft.ihfft2(a, s=(4, 2), norm="forward")
        torch.fft.rfftn(a, s=(-1, 6))
        torch.fft.rfftn(a, dim=(0,), norm="forward")
        torch.fft.rfftn(a, dim=())
        torch.fft.ihfftn(a, (2, 3), (1, 0))
        torch.fft.ihfftn(a, dim=())
    """, "near"),
    # results that are given
    *codes(FEW, """
        out = torch.empty(0, dtype=torch.complex128); torch.fft.fft(a, out=out)
        out = torch.empty(0, dtype=torch.complex64); torch.fft.fft(a, out=out)
        out = torch.empty(a.mT.shape, dtype=torch.fft.fft(a).dtype).mT; torch.fft.ifft(a, out=out); out
        out = torch.empty(a.shape, dtype=torch.float64); torch.fft.fft(a, out=out)
        out = torch.empty(0, dtype=torch.float64); torch.fft.irfft(a, out=out).float()
        out = torch.empty(0, dtype=torch.int64); torch.fft.irfft(a, out=out)
        out = torch.empty(0, dtype=torch.complex64); torch.fft.hfft(a, out=out)
        out = torch.empty(0, dtype=torch.complex128); torch.fft.fftn(a, out=out) is out
        out = torch.empty(0, dtype=torch.float32); torch.fft.fft2(a, out=out)
        out = torch.empty(0, dtype=torch.float64); torch.fft.irfft2(a, out=out).float()
        out = torch.empty(0, dtype=torch.complex64); torch.fft.irfftn(a, out=out)
        out = torch.empty(0, dtype=torch.float64); torch.fft.hfftn(a, out=out).float()
    """, "near"),
    *codes(("f32 3x4", "f64 2x3", "i32 2x5"), """
        out = torch.empty(0, dtype=torch.complex128); torch.fft.rfft(a, out=out)
        out = torch.empty(0); torch.fft.rfft(a, out=out)
        out = torch.empty(0, dtype=torch.complex64); torch.fft.ihfft(a, out=out)
        out = torch.empty(0); torch.fft.ihfft(a, out=out)
        out = torch.empty(0, dtype=torch.complex128); torch.fft.rfftn(a, out=out)
        out = torch.empty(0); torch.fft.rfft2(a, out=out)
        out = torch.empty(0); torch.fft.ihfftn(a, out=out)
    """, "near"),
    *codes(("c64 3x4", "c128 5"), """
        torch.fft.fft(a, out=a)
        torch.fft.ifftn(a, out=a); a
        torch.view_as_real(torch.fft.fft(a))
        torch.fft.fft(a.conj())
    """, "near"),
    # frequencies
    *codes(("",), """
        torch.fft.fftfreq(5)
        torch.fft.fftfreq(8)
        torch.fft.fftfreq(0)
        torch.fft.fftfreq(1)
        torch.fft.fftfreq(7, 0.25)
        torch.fft.fftfreq(n=6, d=3)
        torch.fft.fftfreq(4, dtype=torch.float64)
        torch.fft.fftfreq(4, 2, dtype=torch.float16)
        torch.fft.fftfreq(4, d=0.0)
        torch.fft.fftfreq(3, out=torch.empty(0, dtype=torch.float64))
        torch.fft.fftfreq(3, out=torch.empty(0))
        torch.fft.rfftfreq(5)
        torch.fft.rfftfreq(8)
        torch.fft.rfftfreq(0)
        torch.fft.rfftfreq(1)
        torch.fft.rfftfreq(7, 0.25)
        torch.fft.rfftfreq(6, d=3, dtype=torch.float64)
        torch.fft.rfftfreq(3, out=torch.empty(0, dtype=torch.float64))
    """, "ulp"),
    *codes(each("f32 i64 c64 b1", "$ 4", "$ 5", "$ 3x4", "$ 2x3x5 T", "$ 1", "$ 2x0"), """
        torch.fft.fftshift(a)
        torch.fft.ifftshift(a)
        torch.fft.fftshift(a, 0)
        torch.fft.ifftshift(a, dim=-1)
        torch.fft.fftshift(a, dim=(0,))
        torch.fft.ifftshift(a, (0, 0))
    """),
    *codes(("f32 3x4", "i64 2x3x4", "c64 3x2 T", "b1 4"), """
        torch.constant_pad_nd(a, (1, 2))
        torch.constant_pad_nd(a, (1, 2), 3)
        torch.constant_pad_nd(a, (-1, 0, 2, -1), value=1)
        torch.constant_pad_nd(a, (0, 0))
        torch.constant_pad_nd(a, ())
        torch.constant_pad_nd(a, (1,))
        torch.constant_pad_nd(a, (-9, 0))
        torch.constant_pad_nd(a, (0, 0, 1, 1, 1, 1, 1, 1))
    """),
    # short-time transforms
    *codes(("f32 20", "f64 2x16", "f32 30 S"), """
        torch.stft(a, 4, return_complex=True)
        torch.stft(a, 5, return_complex=True)
        torch.stft(a, 8, 3, return_complex=True)
        torch.stft(a, 8, hop_length=2, win_length=5, return_complex=True)
        torch.stft(a, 8, window=torch.hann_window(8), return_complex=True)
        torch.stft(a, 8, 2, 6, torch.hann_window(6, dtype=torch.float64), return_complex=True)
        torch.stft(a, 6, window=torch.arange(6), return_complex=True)
        torch.stft(a, 6, 2, center=False, return_complex=True)
        torch.stft(a, 6, 2, pad_mode="constant", return_complex=True)
        torch.stft(a, 6, 2, pad_mode="replicate", return_complex=True)
        torch.stft(a, 6, 2, pad_mode="circular", return_complex=True)
        torch.stft(a, 6, 2, normalized=True, return_complex=True)
        torch.stft(a, 6, 2, onesided=False, return_complex=True)
        torch.stft(a, 6, 2, window=torch.ones(6) + 1j)
        torch.stft(a, 6, 2, center=False, align_to_window=False, return_complex=True)
        torch.stft(a, 6, 2, 2, center=False, align_to_window=True, return_complex=True)
        torch.stft(a, 6, 2, 4, torch.ones(4), False, align_to_window=True, return_complex=True)
        torch.stft(a, 6, 2, return_complex=False)
        a.stft(6, 2, return_complex=True)
        a.stft(n_fft=4, window=torch.hamming_window(4), normalized=True, return_complex=False)
        torch.istft(torch.stft(a, 6, 2, window=torch.ones(6), return_complex=True), 6, 2, window=torch.ones(6))
        torch.istft(torch.stft(a, 4, window=torch.hann_window(4), return_complex=True), 4, window=torch.hann_window(4), length=15)
        torch.istft(torch.stft(a, 4, window=torch.ones(4), return_complex=True), 4, window=torch.ones(4), length=40)
        torch.istft(torch.stft(a, 4, window=torch.ones(4), return_complex=True, normalized=True), 4, window=torch.ones(4), normalized=True)
        torch.istft(torch.stft(a, 5, window=torch.ones(5), return_complex=True, onesided=False), 5, window=torch.ones(5), onesided=False)
        torch.istft(torch.stft(a, 6, 1, 3, torch.ones(3), return_complex=True), 6, 1, 3, torch.ones(3))
        torch.istft(torch.stft(a, 6, 2, center=False, window=torch.ones(6), return_complex=True), 6, 2, window=torch.ones(6), center=False)
        torch.stft(a, 8, window=torch.hann_window(8), return_complex=True).istft(8, window=torch.hann_window(8))
    """, "near"),
    *codes(("c64 20", "c128 2x16"), """
        torch.stft(a, 4)
        torch.stft(a, 6, 2, return_complex=True)
        torch.stft(a, 6, 2, return_complex=False)
        torch.stft(a, 6, 2, pad_mode="constant", window=torch.hann_window(6))
        torch.istft(torch.stft(a, 4, window=torch.ones(4)), 4, window=torch.ones(4), return_complex=True)
        torch.istft(torch.stft(a, 4, window=torch.ones(4)), 4, window=torch.ones(4))
        torch.istft(torch.stft(a, 4, window=torch.ones(4) + 0j), 4, window=torch.ones(4) + 0j, return_complex=True, onesided=False)
    """, "near"),
    *errors(("f32 20",), """
        torch.stft(a, 4)  # stft requires the return_complex parameter be given for real inputs
        torch.stft(a, 4, window=torch.ones(3), return_complex=True)  # stft(torch.FloatTensor[24], n_fft=4, hop_length=1, win_length=4, window=torch.FloatTensor{[3]}, normalized=0, onesided=None, return_complex=1, align_to_window=None) : expected a 1D window tensor of size equal to win_length=4, but got window with size [3]
        torch.stft(a, 4, win_length=5, return_complex=True)  # window=None, normalized=0, onesided=None, return_complex=1, align_to_window=None) : expected 0 < win_length <= n_fft, but got win_length=5
        torch.stft(a, 4, win_length=0, return_complex=True)  # expected 0 < win_length <= n_fft, but got win_length=0
        torch.stft(a, 4, hop_length=0, return_complex=True)  # expected hop_length > 0, but got hop_length=0
        torch.stft(a, 0, return_complex=True)  # expected 0 < n_fft < 20, but got n_fft=0
        torch.stft(a, 100, return_complex=True)  # Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (50, 50) at dimension 2 of input [1, 1, 20]
        torch.stft(a, 100, center=False, return_complex=True)  # expected 0 < n_fft < 20, but got n_fft=100
        torch.stft(a, 4, pad_mode="foo", return_complex=True)  # Unrecognised padding mode foo
        torch.stft(a.long(), 4, return_complex=True)  # stft(torch.LongTensor[24], n_fft=4, hop_length=1, win_length=4, window=None, normalized=0, onesided=None, return_complex=1, align_to_window=None) : expected a tensor of floating point or complex values
        torch.stft(a.half(), 4, return_complex=True)  # MKL FFT doesn't support tensors of type: Half
        torch.stft(a[None, None], 4, return_complex=True)  # expected a 1D or 2D tensor
        torch.stft(a[0], 4, return_complex=True)  # Padding size should be less than the corresponding input dimension
        torch.stft(a, 4, return_complex=True, align_to_window=True)  # stft align_to_window should only be set when center = false
        torch.stft(a, 4, window=torch.ones(4) + 0j, onesided=True)  # Cannot have onesided output if window or input is complex
        torch.istft(a, 4)  # istft requires a complex-valued input tensor matching the output from stft with return_complex=True.
        torch.istft(a + 0j, 4)  # Dimension out of range (expected to be in range of [-2, 1], but got -3)
        torch.istft(a.view(2, 10) + 0j, 4)  # istft(CPUComplexFloatType[2, 10], n_fft=4, hop_length=1, win_length=4, window=None, center=1, normalized=0, onesided=None, length=None, return_complex=0) : expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, but got 2
        torch.istft(a.view(4, 5) + 0j, 8)  # to match n_fft / 2 + 1 when onesided=True, but got 4
        torch.istft(a.view(4, 5) + 0j, 8, onesided=False)  # to match n_fft when onesided=False, but got 4
        torch.istft(a.view(4, 5) + 0j, 7, hop_length=0)  # expected 0 < hop_length <= win_length
        torch.istft(a.view(4, 5) + 0j, 7, hop_length=8)  # expected 0 < hop_length <= win_length
        torch.istft(a.view(4, 5) + 0j, 7, win_length=8)  # expected 0 < win_length <= n_fft
        torch.istft(a.view(4, 5) + 0j, 7, window=torch.ones(3))  # Invalid window shape. window has to be 1D and length of `win_length`
        torch.istft(a.view(4, 5) + 0j, 7, window=torch.zeros(7))  # window overlap add min: 1
        torch.istft(a.view(4, 5) + 0j, 7, window=torch.ones(7) + 0j)  # Complex windows are incompatible with return_complex=False
        torch.istft(a.view(4, 5) + 0j, 7, return_complex=True)  # Cannot have onesided output if window or input is complex
        torch.istft(a[:0].view(4, 0) + 0j, 7)  # input tensor cannot be empty.
        torch.istft(a.view(1, 1, 4, 5) + 0j, 7)  # expected a tensor with 3 or 4 dimensions, but got 5
    """),
    *errors(("f32 3x4",), """
        torch.fft.fft(torch.tensor(1.0))  # Dimension specified as -1 but tensor has no dimensions
        torch.fft.fft(a, n=0)  # Invalid number of data points (0) specified
        torch.fft.fft(a, n=-1)  # Invalid number of data points (-1) specified
        torch.fft.fft(a[:, :0])  # Invalid number of data points (0) specified
        torch.fft.irfft(a[:, :1])  # Invalid number of data points (0) specified
        torch.fft.fft(a, dim=2)  # Dimension out of range (expected to be in range of [-2, 1], but got 2)
        torch.fft.fft(a, norm="x")  # Invalid normalization mode: "x"
        torch.fft.irfftn(a, norm="")  # Invalid normalization mode: ""
        torch.fft.fft(a, norm=3)  # fft_fft(): argument 'norm'
        torch.fft.fft(a.half())  # Unsupported dtype Half
        torch.fft.irfft(a.bfloat16())  # Unsupported dtype BFloat16
        torch.fft.rfft(a + 0j)  # rfft expects a real input tensor, but got ComplexFloat
        torch.fft.ihfft(a + 0j)  # ihfft expects a real input tensor, but got ComplexFloat
        torch.fft.rfftn(a + 0j)  # rfftn expects a real-valued input tensor, but got ComplexFloat
        torch.fft.ihfft2(a + 0j)  # Only supports floating-point dtypes, but found: ComplexFloat
        torch.fft.fft(a, out=torch.empty(0))  # fft expects a complex output tensor, but got Float
        torch.fft.irfft(a, out=a + 0j)  # irfft expects a floating point output tensor, but got ComplexFloat
        torch.fft.ihfft(a, out=torch.empty(0, dtype=torch.complex128))  # Found dtype ComplexDouble but expected ComplexFloat
        torch.fft.fft2(a, out=torch.empty(0))  # fftn expects a complex output tensor, but got Float
        torch.fft.rfft2(a, out=torch.empty(0))  # rfftn expects a complex output tensor, but got Float
        torch.fft.fft2(a[0])  # Dimension out of range (expected to be in range of [-1, 0], but got -2)
        torch.fft.fft2(a[0, 0])  # Dimension specified as -2 but tensor has no dimensions
        torch.fft.fft2(a, s=(2,))  # When given, dim and shape arguments must have the same length
        torch.fft.fftn(a, s=(2, 3, 4))  # Got shape with 3 values but input tensor only has 2 dimensions.
        torch.fft.fft2(a, s=(2, -2))  # Invalid number of data points (-2) specified
        torch.fft.fft2(a, s=(2, 0))  # Invalid number of data points (0) specified
        torch.fft.fft2(a, dim=(0, -2))  # FFT dims must be unique
        torch.fft.fft2(a, dim=None)  # fft_fft2(): argument 'dim' must be tuple of ints, not NoneType
        torch.fft.rfftn(a, s=(), dim=())  # rfftn must transform at least one axis
        torch.fft.irfftn(a[0, 0])  # irfftn must transform at least one axis
        torch.fft.fftfreq(-1)  # Trying to create tensor with negative dimension -1: [-1]
        torch.fft.fftfreq(4, dtype=torch.int64)  # fftfreq requires a floating point or complex dtype
        torch.fft.fftfreq(4, dtype=torch.complex64)  # "arange_cpu" not implemented for 'ComplexFloat'
        torch.fft.rfftfreq(4, dtype=torch.int32)  # rfftfreq requires a floating point or complex dtype
        torch.fft.fftfreq(4, dtype=torch.float32, out=torch.empty(0, dtype=torch.float64))  # dtype Float does not match dtype of out parameter (Double)
        torch.fft.fftshift(a, dim=3)  # Dimension out of range (expected to be in range of [-2, 1], but got 3)
        torch.fft.fftshift(a, dim=())  # `shifts` required
        torch.fft.fftshift(a[0, 0])  # `shifts` required
    """),
]

# ---- infinities and NaN: what does not meet them, or meets them with a sine of zero, is a number -----------------
ROWS += [row for value in ("inf", "-inf", "nan") for at in (0, 1) for row in codes(
    tuple(f"{t} {n}" for t in ("f32", "f64") for n in (2, 3, 4, 5, 6, 7, 8)), f"""
    a[{at}] = {value}; torch.fft.fft(a)
    a[{at}] = {value}; torch.fft.ifft(a, norm="ortho").resolve_conj()
    a[{at}] = {value}; torch.fft.rfft(a, norm="forward")
    a[{at}] = {value}; torch.fft.ihfft(a).resolve_conj()
""", "near")]
ROWS += [row for value in ("inf", "nan") for row in codes(
    tuple(f"{t} {n}" for t in ("c64", "c128") for n in (2, 3, 4, 5)), f"""
    a[1] = complex({value}, 2); torch.fft.fft(a)
    a[1] = complex(2, {value}); torch.fft.ifft(a)
    a[1] = complex({value}, 2); torch.fft.irfft(a)
    a[1] = complex(2, {value}); torch.fft.hfft(a)
""", "near")]
