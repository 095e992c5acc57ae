"""Storages, files, DLPack, NumPy, buffers: tensors on the way out and back in."""

from golden.row import ALL, FLOAT, codes, each

NONE = ("",)
SHAPES = ("$ 2x3", "$ 2x3 T", "$ 3x2 T", "$ 5", "$ -", "$ 0x3")
NUMPY = each("b1 u8 i8 i16 i32 i64 f16 f32 f64", *SHAPES)
EVERY = each(ALL, *SHAPES)
SPECIAL = each(FLOAT, "$ 10 special")

NAMES = "Bool Byte Char Short Int Long Half BFloat16 Float Double".split()

ROWS = []
# ---- files and copies: values, strides, offsets ------------------------------------------------------------
SAVE = "import io; f = io.BytesIO(); torch.save({}, f); f.seek(0); "
LAYOUT = "r.shape, r.stride(), r.storage_offset(), r.untyped_storage().nbytes()"
ROWS += codes(EVERY + SPECIAL, f"""
    {SAVE.format("a")}torch.load(f)
    {SAVE.format("a")}r = torch.load(f, weights_only=False); {LAYOUT}
    {SAVE.format("a[..., :1]")}r = torch.load(f, map_location='cpu'); r if a.dim() else None
    import pickle; pickle.loads(pickle.dumps(a))
    import pickle; r = pickle.loads(pickle.dumps(a, 2)); {LAYOUT}
    import copy; r = copy.deepcopy(a); r
    import copy; r = copy.deepcopy(a); {LAYOUT}
    import copy; r = copy.copy(a); r.data_ptr() == a.data_ptr()
""")
ROWS += codes(NONE, f"""
    {SAVE.format("[1, 2.5, 'x', None, True, (1, 2)]")}torch.load(f)
    {SAVE.format("torch.Size([1, 2])")}torch.load(f)
    {SAVE.format("torch.bfloat16")}torch.load(f)
    {SAVE.format("torch.device('cuda:1')")}str(torch.load(f))
    {SAVE.format("print")}torch.load(f)
    {SAVE.format("print")}torch.load(f, weights_only=False) is print
    import io; torch.load(io.BytesIO(b''))
    import io; torch.load(io.BytesIO(b'hello'), weights_only=False)
    torch.load('/nonexistent/file')
    torch.save(1, 3)
    torch.save(1, '/nonexistent/folder/file')
    import io; torch.load(io.BytesIO(b''), mmap=True)
    torch.serialization.get_default_load_endianness()
    torch.serialization.set_default_load_endianness(3)
""")

# ---- storages ----------------------------------------------------------------------------------------------
ROWS += codes(EVERY, """
    s = a.storage(); s.dtype
    a.storage().tolist() if a.dtype != torch.bool else [int(x) for x in a.storage()]
    s = a.storage(); s.size(), len(s), s.nbytes(), s.element_size()
    s = a.storage(); s.type(), s.pickle_storage_type(), s.is_shared(), s.is_pinned(), s.resizable()
    a.untyped_storage().nbytes(), len(a.untyped_storage()), a.untyped_storage().tolist()
    a.storage().data_ptr() == a.untyped_storage().data_ptr()
    a.storage_type().__name__
    torch.is_storage(a.storage()), torch.is_storage(a.untyped_storage()), torch.is_storage(a)
    torch.empty(0, dtype=a.dtype).set_(a.storage())
    torch.empty(0, dtype=a.dtype).set_(a.untyped_storage(), a.storage_offset(), a.size(), a.stride())
    torch.empty(0, dtype=a.dtype).set_(a)
    a.clone().set_()
    a.storage().double().tolist()
    a.untyped_storage().clone().fill_(1).tolist()
""")
for name in NAMES:
    ROWS += codes(NONE, f"""
        torch.{name}Storage([0, 1, 1]).tolist() == [0, 1, 1]
        torch.{name}Storage(3).size(), torch.{name}Storage().size(), torch.{name}Storage.dtype
        isinstance(torch.{name}Storage(1), torch.{name}Storage), issubclass(torch.{name}Storage, torch.TypedStorage)
        torch.{name}Storage([1, 0]).untyped().tolist()
        torch.{name}Storage([1]).float().tolist()
        torch.{name}Storage('x')
        torch.{name}Storage([1, 2])[2]
    """)
ROWS += codes(NONE, """
    repr(torch.FloatStorage([1, 2.5])), repr(torch.UntypedStorage([1, 2])), repr(torch.UntypedStorage())
    torch.UntypedStorage([1, 2, 3])[1:].tolist(), torch.UntypedStorage([1, 2, 3])[-1]
    torch.UntypedStorage([1, 2, 3])[::2]
    torch.UntypedStorage([1, 2, 3])[3]
    torch.UntypedStorage('x')
    torch.UntypedStorage(2.5)
    torch.UntypedStorage([1, 2]).copy_(torch.UntypedStorage([3]))
    torch.FloatStorage([1, 2])[0:1]
    torch.FloatStorage(2, device='cpu')
    torch.FloatStorage(wrap_storage=torch.UntypedStorage([0, 0, 128, 63])).tolist()
    torch.IntStorage.from_buffer(bytes([1, 0, 0, 0, 2, 0, 0, 0]), 'little').tolist()
    torch.IntStorage.from_buffer(bytes([0, 0, 0, 1]), 'big').tolist()
    torch.IntStorage.from_buffer(bytes([1, 0, 0, 0]))
    torch.IntStorage.from_buffer(bytes([1, 0, 0]), 'native')
    torch.ByteStorage([300])
    torch.zeros(2).set_(torch.IntStorage([1]))
    torch.from_file('/nonexistent/file', size=3)
""")

# ---- DLPack ------------------------------------------------------------------------------------------------
ROWS += codes(EVERY, """
    torch.from_dlpack(a)
    torch.from_dlpack(a).data_ptr() == a.data_ptr()
    torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(a))
    torch.utils.dlpack.from_dlpack(a.__dlpack__(max_version=(1, 0)))
    torch.from_dlpack(a, copy=True).data_ptr() == a.data_ptr() and a.numel() > 0
    tuple(map(int, a.__dlpack_device__()))
""")
ROWS += codes(NONE, """
    c = torch.ones(1).__dlpack__(); torch.from_dlpack(c); torch.from_dlpack(c)
    torch.from_dlpack(3)
    torch.ones(1).__dlpack__(stream=3)
    torch.ones(1).__dlpack__(stream='x')
    torch.utils.dlpack.to_dlpack(3)
    torch.from_dlpack(torch.ones(1), device='cuda')
""")

# ---- NumPy -------------------------------------------------------------------------------------------------
ROWS += codes(NUMPY, """
    torch.from_numpy(a.numpy())
    torch.from_numpy(a.numpy()).stride() == a.stride() or a.numel() < 2
    a.__array__().tolist()
    str(a.__array__().dtype), a.__array__().shape
    import numpy as np; np.asarray(a).ctypes.data == a.data_ptr() or a.numel() == 0
    import numpy as np; np.equal(a, a)
    import numpy as np; np.logical_not(a)
    import numpy as np; str(np.asarray(a, dtype=np.float64).dtype)
    torch.asarray(a.numpy()), torch.as_tensor(a.numpy()), torch.tensor(a.numpy())
    torch.from_dlpack(a.numpy())
    a.numpy(force=True).tolist()
    a.__array_priority__
""")
ROWS += codes(each("f32 f64", "$ 2x3", "$ 2x3 T", "$ 0x3"), """
    import numpy as np; np.square(a)
    import numpy as np; np.add(a, 1)
    import numpy as np; np.maximum(a, np.zeros(3))
    import numpy as np; a * np.float32(2), np.float64(2) * a, a - np.int64(1), np.int32(1) - a
    import numpy as np; np.float32(1) < a, a == np.float64(1.5)
    import numpy as np; np.zeros(3) * a
""")
ROWS += codes(each("u8 i64", "$ 2x3", "$ 5"), """
    import numpy as np; a * np.float32(2), np.float64(2) * a, a - np.int64(1), np.int32(1) - a
    import numpy as np; a & np.int64(3), np.int64(3) | a, a << np.int64(1), np.int64(100) // (a * 0 + 7)
""")
ROWS += codes(NONE, """
    import numpy as np; torch.from_numpy(np.arange(4)[::-1])
    import numpy as np; torch.from_numpy(np.zeros(3, '>f4'))
    import numpy as np; torch.from_numpy(np.array(['a']))
    import numpy as np; torch.from_numpy(np.zeros(2, [('x', 'f4'), ('y', 'i1')])['x'])
    import numpy as np; torch.tensor(np.float16(1.5)), torch.tensor(np.int8(3)), torch.tensor(np.bool_(True))
    import numpy as np; torch.from_dlpack(np.arange(6).reshape(2, 3).T).stride()
    torch.zeros(2, dtype=torch.bfloat16).numpy()
""")

# ---- buffers -----------------------------------------------------------------------------------------------
ROWS += codes(NONE, """
    import array; torch.asarray(array.array('f', [1, 2])), torch.tensor(array.array('i', [1, 2]))
    torch.asarray(bytearray([1, 2]), dtype=torch.uint8), torch.asarray(bytearray([1, 2]), dtype=torch.int16)
    torch.asarray(b'abc')
    torch.asarray([1, 2], copy=False)
    torch.asarray(torch.ones(2), dtype=torch.int32, copy=False)
    torch.asarray([1, 2], dtype=torch.float64), torch.asarray(3), torch.asarray(2.5)
    torch.frombuffer(bytes(8), dtype=torch.int32), torch.frombuffer(bytearray([1, 0, 2, 0]), dtype=torch.int16)
    torch.frombuffer(bytearray([1, 0, 2, 0]), dtype=torch.int16, offset=2, count=1)
    torch.frombuffer(b'', dtype=torch.uint8)
    torch.frombuffer(bytes(3), dtype=torch.int16)
    torch.frombuffer(bytes(4), dtype=torch.int16, count=0)
    torch.frombuffer(bytes(4), dtype=torch.int16, count=3)
    torch.frombuffer(bytes(4), dtype=torch.int16, offset=4)
    torch.frombuffer(3, dtype=torch.int16)
""")

# ---- types of the default dtype --------------------------------------------------------------------------------
ROWS += codes(("i32 2", "f64 2x3"), """
    a.type(torch.Tensor), a.type('torch.Tensor'), a.type(dtype=torch.Tensor)
    a.type(torch.Storage)
    a.type('Tensor')
""")
ROWS += codes(NONE, """
    torch.Storage.__module__, torch.Storage.__name__, torch.Storage is torch.FloatStorage, 'Storage' in dir(torch)
    torch.Storage([1, 2]).tolist(), torch.Storage(3).dtype, len(torch.Storage()), torch.Storage.dtype
    isinstance(torch.zeros(3).storage(), torch.Storage), isinstance(torch.zeros(3).double().storage(), torch.Storage)
""")
# ---- arrays of no dimensions are sizes and dimensions ------------------------------------------------------------
ROWS += codes(NONE, """
    import numpy as np; torch.ones(np.array(3), np.int64(4))
    import numpy as np; torch.zeros((np.array(3), np.array(4, dtype=np.uint8)))
    import numpy as np; torch.zeros(np.array(3)), torch.empty(2, np.array(0)), torch.full([np.array(2)], 1)
    import numpy as np; torch.Tensor(np.array(3)).shape, torch.Tensor(2, np.array(3)).shape, torch.IntTensor(np.array(3), 1).shape
    import numpy as np; torch.Tensor(np.array(3.)).shape, torch.Tensor(np.array(True)).shape, torch.Tensor(np.array([3]))
    import numpy as np; torch.Tensor(np.array(2), 3.)
    import numpy as np; torch.arange(6).view(np.array(2), np.array(3)), torch.arange(6).reshape((np.array(3), -1))
    import numpy as np; torch.arange(6).view(np.array(6)), torch.arange(3).expand(np.array(2), 3), torch.arange(3).repeat(np.array(2))
    import numpy as np; torch.arange(6).view(2, 3).sum((np.array(1),)), torch.arange(6).view(2, 3).permute(np.array(1), 0)
    import numpy as np; torch.eye(np.array(2)), torch.arange(6).narrow(0, np.array(2), np.array(1)), torch.arange(3).kthvalue(np.array(1))
    import numpy as np; torch.zeros(2).new_zeros(np.array(3)), torch.zeros(2).new(2, np.array(3)).shape, torch.zeros(4).resize_(np.array(2))
    import numpy as np; torch.arange(6).as_strided((np.array(2),), (np.array(3),)), torch.arange(6).flip(np.array(0))
    import numpy as np; torch.randn(np.array(2), 3).shape, torch.randperm(np.array(3)).shape, torch.randint(5, (np.array(2),)).shape
    import numpy as np; torch.Size([np.array(3)]), torch.arange(4).split([np.array(1), np.array(3)]), torch.arange(2).tile(np.array(2))
    import numpy as np; torch.ones(np.array([3]))
    import numpy as np; torch.ones(np.array(True))
    import numpy as np; torch.ones(np.array(3.))
    import numpy as np; torch.ones(np.bool_(True))
    import numpy as np; torch.ones(np.array(-1))
    import numpy as np; torch.full((2,), np.array(3))
    import numpy as np; torch.add(torch.ones(2), np.array(3))
""")
