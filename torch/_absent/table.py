"""Names of PyTorch's, by module, as torch._absent reads them: written by tests/golden/generate_names.py."""

NAMES = {
    "torch._C": """+AcceleratorError:RuntimeError +AggregationType +AliasDb +AnyType +Argument +ArgumentSpec +AwaitType
+BenchmarkConfig +BenchmarkExecutionStats +Block +BoolType +BufferDict +CallStack +Capsule +ClassType +Code
+CompilationUnit@torch.jit +CompleteArgumentSpec +ComplexType +ConcreteModuleType +ConcreteModuleTypeBuilder
+DeepCopyMemoTable +DeserializationStorageContext +DeviceObjType +DictType +DisableTorchFunction
+DisableTorchFunctionSubclass +DispatchKey +DispatchKeySet +EnumType +ErrorReport +Event
+ExcludeDispatchKeyGuard +ExecutionPlan +FatalError:Exception +FileCheck +FloatType +FunctionSchema +Future
+FutureType +Generator +Gradient +Graph +GraphExecutorState +IODescriptor +InferredType +IntType
+InterfaceType +JITException:Exception +ListType +LiteScriptModule +LockingLogger +LoggerBase +ModuleDict
+Node +NoneType +NoopLogger +NumberType +OperatorInfo +OptionalType +OutOfMemoryError:RuntimeError
+ParameterDict +PyObjectType +PyTorchFileReader +PyTorchFileWriter +RRefType +ScriptClass
+ScriptClassFunction +ScriptDict +ScriptDictIterator +ScriptDictKeyIterator +ScriptFunction +ScriptList
+ScriptListIterator +ScriptMethod +ScriptModule +ScriptModuleSerializer +ScriptObject +ScriptObjectProperty
+SerializationStorageContext +Size:tuple +StaticModule +StorageBase +Stream +StreamObjType +StringType
+SymBoolType +SymIntType +Tag +TensorType +ThroughputBenchmark +TracingState +TupleType +Type +UnionType
+Use +Value +device +dtype +finfo +iinfo +layout +memory_format +qscheme""",
    "torch._C._distributed_autograd": """+DistAutogradContext""",
    "torch._C._distributed_c10d": """+AllToAllOptions@torch.distributed.distributed_c10d
+AllgatherOptions@torch.distributed.distributed_c10d +AllreduceCoalescedOptions@torch.distributed.distributed_c10d
+AllreduceOptions@torch.distributed.distributed_c10d +BarrierOptions@torch.distributed.distributed_c10d
+BroadcastOptions@torch.distributed.distributed_c10d +DebugLevel@torch.distributed.distributed_c10d
+FileStore@torch.distributed.distributed_c10d +GatherOptions@torch.distributed.distributed_c10d
+HashStore@torch.distributed.distributed_c10d +PrefixStore@torch.distributed.distributed_c10d
+ProcessGroup@torch.distributed.distributed_c10d +ProcessGroupGloo@torch.distributed.distributed_c10d
+ReduceOp@torch.distributed.distributed_c10d +ReduceOptions@torch.distributed.distributed_c10d
+ReduceScatterOptions@torch.distributed.distributed_c10d +ScatterOptions@torch.distributed.distributed_c10d
+Store@torch.distributed.distributed_c10d +TCPStore@torch.distributed.distributed_c10d
+Work@torch.distributed.distributed_c10d +BuiltinCommHookType +GradBucket +Logger +Reducer
+_DistributedBackendOptions@torch.distributed._options _DEFAULT_PG_TIMEOUT@torch.distributed.constants
get_debug_level@torch.distributed set_debug_level@torch.distributed set_debug_level_from_env@torch.distributed""",
    "torch._C._distributed_rpc": """+PyRRef +RemoteProfilerManager +RpcAgent +RpcBackendOptions +TensorPipeAgent +WorkerInfo
_is_current_rpc_agent_set""",
    "torch._dynamo": """+OptimizedModule@torch._dynamo.eval_frame allow_in_graph@torch._dynamo.decorators
assume_constant_result@torch._dynamo.decorators is_compiling@torch._dynamo.external_utils
mark_dynamic@torch._dynamo.decorators mark_static_address@torch._dynamo.decorators""",
    "torch._dynamo._trace_wrapped_higher_order_op": """+TransformGetItemToIndex""",
    "torch._dynamo.config": """patch""",
    "torch._dynamo.decorators": """allow_in_graph assume_constant_result mark_dynamic mark_static_address""",
    "torch._dynamo.eval_frame": """+OptimizedModule:Module""",
    "torch._dynamo.exc": """+TensorifyScalarRestartAnalysis:RuntimeError +TorchDynamoException:RuntimeError""",
    "torch._dynamo.external_utils": """is_compiling""",
    "torch._dynamo.utils": """dynamo_timed is_compile_supported""",
    "torch._higher_order_ops": "",
    "torch._higher_order_ops.utils": """autograd_not_implemented""",
    "torch._inductor": """cudagraph_mark_step_begin list_mode_options""",
    "torch._inductor.cpu_vec_isa": """pick_vec_isa""",
    "torch._inductor.runtime": "",
    "torch._inductor.runtime.cache_dir_utils": """cache_dir""",
    "torch._subclasses": "",
    "torch._subclasses.fake_impls": """fast_detach register_op_impl""",
    "torch._subclasses.fake_tensor": """+FakeTensor:Tensor +FakeTensorMode get_plain_tensors is_fake unset_fake_temporarily""",
    "torch._subclasses.functional_tensor": """+FunctionalTensor:Tensor""",
    "torch._subclasses.meta_utils": """is_sparse_any""",
    "torch.ao": "",
    "torch.ao.nn": "",
    "torch.ao.nn.intrinsic": """+BNReLU2d@torch.ao.nn.intrinsic.modules.fused +BNReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvAdd2d@torch.ao.nn.intrinsic.modules.fused +ConvAddReLU2d@torch.ao.nn.intrinsic.modules.fused
+ConvBn1d@torch.ao.nn.intrinsic.modules.fused +ConvBn2d@torch.ao.nn.intrinsic.modules.fused
+ConvBn3d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU1d@torch.ao.nn.intrinsic.modules.fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU1d@torch.ao.nn.intrinsic.modules.fused +ConvReLU2d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU3d@torch.ao.nn.intrinsic.modules.fused +LinearBn1d@torch.ao.nn.intrinsic.modules.fused
+LinearLeakyReLU@torch.ao.nn.intrinsic.modules.fused +LinearReLU@torch.ao.nn.intrinsic.modules.fused
+LinearTanh@torch.ao.nn.intrinsic.modules.fused""",
    "torch.ao.nn.intrinsic.modules": """+BNReLU2d@torch.ao.nn.intrinsic.modules.fused +BNReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvAdd2d@torch.ao.nn.intrinsic.modules.fused +ConvAddReLU2d@torch.ao.nn.intrinsic.modules.fused
+ConvBn1d@torch.ao.nn.intrinsic.modules.fused +ConvBn2d@torch.ao.nn.intrinsic.modules.fused
+ConvBn3d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU1d@torch.ao.nn.intrinsic.modules.fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU1d@torch.ao.nn.intrinsic.modules.fused +ConvReLU2d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU3d@torch.ao.nn.intrinsic.modules.fused +LinearBn1d@torch.ao.nn.intrinsic.modules.fused
+LinearLeakyReLU@torch.ao.nn.intrinsic.modules.fused +LinearReLU@torch.ao.nn.intrinsic.modules.fused
+LinearTanh@torch.ao.nn.intrinsic.modules.fused""",
    "torch.ao.nn.intrinsic.modules.fused": """+BNReLU2d:Module +BNReLU3d:Module +ConvAdd2d:Module +ConvAddReLU2d:Module +ConvBn1d:Module +ConvBn2d:Module
+ConvBn3d:Module +ConvBnReLU1d:Module +ConvBnReLU2d:Module +ConvBnReLU3d:Module +ConvReLU1d:Module
+ConvReLU2d:Module +ConvReLU3d:Module +LinearBn1d:Module +LinearLeakyReLU:Module +LinearReLU:Module
+LinearTanh:Module""",
    "torch.ao.nn.intrinsic.qat": """+ConvBn1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+LinearBn1d@torch.ao.nn.intrinsic.qat.modules.linear_fused
+LinearReLU@torch.ao.nn.intrinsic.qat.modules.linear_relu
freeze_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused
update_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused""",
    "torch.ao.nn.intrinsic.qat.modules": """+ConvBn1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+LinearBn1d@torch.ao.nn.intrinsic.qat.modules.linear_fused
+LinearReLU@torch.ao.nn.intrinsic.qat.modules.linear_relu
freeze_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused
update_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused""",
    "torch.ao.nn.intrinsic.qat.modules.conv_fused": """+ConvBn1d:Module +ConvBn2d:Module +ConvBn3d:Module +ConvBnReLU1d:Module +ConvBnReLU2d:Module
+ConvBnReLU3d:Module +ConvReLU1d:Module +ConvReLU2d:Module +ConvReLU3d:Module freeze_bn_stats
update_bn_stats""",
    "torch.ao.nn.intrinsic.qat.modules.linear_fused": """+LinearBn1d:Module""",
    "torch.ao.nn.intrinsic.qat.modules.linear_relu": """+LinearReLU:Module""",
    "torch.ao.nn.intrinsic.quantized": """+BNReLU2d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+BNReLU3d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+ConvAdd2d@torch.ao.nn.intrinsic.quantized.modules.conv_add
+ConvAddReLU2d@torch.ao.nn.intrinsic.quantized.modules.conv_add
+ConvReLU1d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU2d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU3d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+LinearLeakyReLU@torch.ao.nn.intrinsic.quantized.modules.linear_relu
+LinearReLU@torch.ao.nn.intrinsic.quantized.modules.linear_relu
+LinearTanh@torch.ao.nn.intrinsic.quantized.modules.linear_relu""",
    "torch.ao.nn.intrinsic.quantized.dynamic": """+LinearReLU@torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu""",
    "torch.ao.nn.intrinsic.quantized.dynamic.modules": """+LinearReLU@torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu""",
    "torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu": """+LinearReLU:Module""",
    "torch.ao.nn.intrinsic.quantized.modules": """+BNReLU2d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+BNReLU3d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+ConvAdd2d@torch.ao.nn.intrinsic.quantized.modules.conv_add
+ConvAddReLU2d@torch.ao.nn.intrinsic.quantized.modules.conv_add
+ConvReLU1d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU2d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU3d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+LinearLeakyReLU@torch.ao.nn.intrinsic.quantized.modules.linear_relu
+LinearReLU@torch.ao.nn.intrinsic.quantized.modules.linear_relu
+LinearTanh@torch.ao.nn.intrinsic.quantized.modules.linear_relu""",
    "torch.ao.nn.intrinsic.quantized.modules.bn_relu": """+BNReLU2d:Module +BNReLU3d:Module""",
    "torch.ao.nn.intrinsic.quantized.modules.conv_add": """+ConvAdd2d:Module +ConvAddReLU2d:Module""",
    "torch.ao.nn.intrinsic.quantized.modules.conv_relu": """+ConvReLU1d:Module +ConvReLU2d:Module +ConvReLU3d:Module""",
    "torch.ao.nn.intrinsic.quantized.modules.linear_relu": """+LinearLeakyReLU:Module +LinearReLU:Module +LinearTanh:Module""",
    "torch.ao.nn.qat": """+Conv1d@torch.ao.nn.qat.modules.conv +Conv2d@torch.ao.nn.qat.modules.conv
+Conv3d@torch.ao.nn.qat.modules.conv +Embedding@torch.ao.nn.qat.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.qat.modules.embedding_ops +Linear@torch.ao.nn.qat.modules.linear""",
    "torch.ao.nn.qat.dynamic": """+Linear@torch.ao.nn.qat.dynamic.modules.linear""",
    "torch.ao.nn.qat.dynamic.modules": """+Linear@torch.ao.nn.qat.dynamic.modules.linear""",
    "torch.ao.nn.qat.dynamic.modules.linear": """+Linear:Module""",
    "torch.ao.nn.qat.modules": """+Conv1d@torch.ao.nn.qat.modules.conv +Conv2d@torch.ao.nn.qat.modules.conv
+Conv3d@torch.ao.nn.qat.modules.conv +Embedding@torch.ao.nn.qat.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.qat.modules.embedding_ops +Linear@torch.ao.nn.qat.modules.linear""",
    "torch.ao.nn.qat.modules.conv": """+Conv1d:Module +Conv2d:Module +Conv3d:Module""",
    "torch.ao.nn.qat.modules.embedding_ops": """+Embedding:Module +EmbeddingBag:Module""",
    "torch.ao.nn.qat.modules.linear": """+Linear:Module +LinearReLU@torch.ao.nn.intrinsic.modules.fused""",
    "torch.ao.nn.quantizable": """+LSTM@torch.ao.nn.quantizable.modules.rnn +LSTMCell@torch.ao.nn.quantizable.modules.rnn
+MultiheadAttention@torch.ao.nn.quantizable.modules.activation""",
    "torch.ao.nn.quantizable.modules": """+LSTM@torch.ao.nn.quantizable.modules.rnn +LSTMCell@torch.ao.nn.quantizable.modules.rnn
+MultiheadAttention@torch.ao.nn.quantizable.modules.activation""",
    "torch.ao.nn.quantizable.modules.activation": """+MultiheadAttention:Module""",
    "torch.ao.nn.quantizable.modules.rnn": """+LSTM:Module +LSTMCell:Module""",
    "torch.ao.nn.quantized": """+BatchNorm2d@torch.ao.nn.quantized.modules.batchnorm +BatchNorm3d@torch.ao.nn.quantized.modules.batchnorm
+Conv1d@torch.ao.nn.quantized.modules.conv +Conv2d@torch.ao.nn.quantized.modules.conv
+Conv3d@torch.ao.nn.quantized.modules.conv +ConvTranspose1d@torch.ao.nn.quantized.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.modules.conv +ConvTranspose3d@torch.ao.nn.quantized.modules.conv
+DeQuantize@torch.ao.nn.quantized.modules +Dropout@torch.ao.nn.quantized.modules.dropout
+ELU@torch.ao.nn.quantized.modules.activation +Embedding@torch.ao.nn.quantized.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.quantized.modules.embedding_ops
+FXFloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+FloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+GroupNorm@torch.ao.nn.quantized.modules.normalization +Hardswish@torch.ao.nn.quantized.modules.activation
+InstanceNorm1d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm2d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm3d@torch.ao.nn.quantized.modules.normalization +LSTM@torch.ao.nn.quantized.modules.rnn
+LayerNorm@torch.ao.nn.quantized.modules.normalization +LeakyReLU@torch.ao.nn.quantized.modules.activation
+Linear@torch.ao.nn.quantized.modules.linear +MultiheadAttention@torch.ao.nn.quantized.modules.activation
+PReLU@torch.ao.nn.quantized.modules.activation
+QFunctional@torch.ao.nn.quantized.modules.functional_modules +Quantize@torch.ao.nn.quantized.modules
+ReLU6@torch.ao.nn.quantized.modules.activation +Sigmoid@torch.ao.nn.quantized.modules.activation
+Softmax@torch.ao.nn.quantized.modules.activation""",
    "torch.ao.nn.quantized.dynamic": """+Conv1d@torch.ao.nn.quantized.dynamic.modules.conv +Conv2d@torch.ao.nn.quantized.dynamic.modules.conv
+Conv3d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose1d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose3d@torch.ao.nn.quantized.dynamic.modules.conv +GRU@torch.ao.nn.quantized.dynamic.modules.rnn
+GRUCell@torch.ao.nn.quantized.dynamic.modules.rnn +LSTM@torch.ao.nn.quantized.dynamic.modules.rnn
+LSTMCell@torch.ao.nn.quantized.dynamic.modules.rnn +Linear@torch.ao.nn.quantized.dynamic.modules.linear
+RNNCell@torch.ao.nn.quantized.dynamic.modules.rnn""",
    "torch.ao.nn.quantized.dynamic.modules": """+Conv1d@torch.ao.nn.quantized.dynamic.modules.conv +Conv2d@torch.ao.nn.quantized.dynamic.modules.conv
+Conv3d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose1d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose3d@torch.ao.nn.quantized.dynamic.modules.conv +GRU@torch.ao.nn.quantized.dynamic.modules.rnn
+GRUCell@torch.ao.nn.quantized.dynamic.modules.rnn +LSTM@torch.ao.nn.quantized.dynamic.modules.rnn
+LSTMCell@torch.ao.nn.quantized.dynamic.modules.rnn +Linear@torch.ao.nn.quantized.dynamic.modules.linear
+RNNCell@torch.ao.nn.quantized.dynamic.modules.rnn""",
    "torch.ao.nn.quantized.dynamic.modules.conv": """+Conv1d:Module +Conv2d:Module +Conv3d:Module +ConvTranspose1d:Module +ConvTranspose2d:Module
+ConvTranspose3d:Module""",
    "torch.ao.nn.quantized.dynamic.modules.linear": """+Linear:Module""",
    "torch.ao.nn.quantized.dynamic.modules.rnn": """+GRU:Module +GRUCell:Module +LSTM:Module +LSTMCell:Module +PackedParameter:Module +RNNBase:Module
+RNNCell:Module +RNNCellBase:Module apply_permutation pack_weight_bias""",
    "torch.ao.nn.quantized.functional": """adaptive_avg_pool2d adaptive_avg_pool3d avg_pool2d avg_pool3d celu clamp conv1d conv2d conv3d elu
hardsigmoid hardswish hardtanh interpolate leaky_relu linear max_pool1d max_pool2d threshold upsample
upsample_bilinear upsample_nearest""",
    "torch.ao.nn.quantized.modules": """+BatchNorm2d@torch.ao.nn.quantized.modules.batchnorm +BatchNorm3d@torch.ao.nn.quantized.modules.batchnorm
+Conv1d@torch.ao.nn.quantized.modules.conv +Conv2d@torch.ao.nn.quantized.modules.conv
+Conv3d@torch.ao.nn.quantized.modules.conv +ConvTranspose1d@torch.ao.nn.quantized.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.modules.conv +ConvTranspose3d@torch.ao.nn.quantized.modules.conv
+DeQuantize:Module +Dropout@torch.ao.nn.quantized.modules.dropout
+ELU@torch.ao.nn.quantized.modules.activation +Embedding@torch.ao.nn.quantized.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.quantized.modules.embedding_ops
+FXFloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+FloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+GroupNorm@torch.ao.nn.quantized.modules.normalization +Hardswish@torch.ao.nn.quantized.modules.activation
+InstanceNorm1d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm2d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm3d@torch.ao.nn.quantized.modules.normalization +LSTM@torch.ao.nn.quantized.modules.rnn
+LayerNorm@torch.ao.nn.quantized.modules.normalization +LeakyReLU@torch.ao.nn.quantized.modules.activation
+Linear@torch.ao.nn.quantized.modules.linear +MultiheadAttention@torch.ao.nn.quantized.modules.activation
+PReLU@torch.ao.nn.quantized.modules.activation
+QFunctional@torch.ao.nn.quantized.modules.functional_modules +Quantize:Module
+ReLU6@torch.ao.nn.quantized.modules.activation +Sigmoid@torch.ao.nn.quantized.modules.activation
+Softmax@torch.ao.nn.quantized.modules.activation""",
    "torch.ao.nn.quantized.modules.activation": """+ELU:Module +Hardswish:Module +LeakyReLU:Module +MultiheadAttention:Module +PReLU:Module +ReLU6:Module
+Sigmoid:Module +Softmax:Module""",
    "torch.ao.nn.quantized.modules.batchnorm": """+BatchNorm2d:Module +BatchNorm3d:Module""",
    "torch.ao.nn.quantized.modules.conv": """+Conv1d:Module +Conv2d:Module +Conv3d:Module +ConvTranspose1d:Module +ConvTranspose2d:Module
+ConvTranspose3d:Module +WeightedQuantizedModule@torch.ao.nn.quantized.modules.utils""",
    "torch.ao.nn.quantized.modules.dropout": """+Dropout:Module""",
    "torch.ao.nn.quantized.modules.embedding_ops": """+Embedding:Module +EmbeddingBag:Module +EmbeddingPackedParams:Module""",
    "torch.ao.nn.quantized.modules.functional_modules": """+FXFloatFunctional:Module +FloatFunctional:Module +QFunctional:Module""",
    "torch.ao.nn.quantized.modules.linear": """+Linear:Module +LinearPackedParams:Module +WeightedQuantizedModule@torch.ao.nn.quantized.modules.utils""",
    "torch.ao.nn.quantized.modules.normalization": """+GroupNorm:Module +InstanceNorm1d:Module +InstanceNorm2d:Module +InstanceNorm3d:Module +LayerNorm:Module""",
    "torch.ao.nn.quantized.modules.rnn": """+LSTM:Module""",
    "torch.ao.nn.quantized.modules.utils": """+WeightedQuantizedModule:Module""",
    "torch.ao.nn.quantized.reference": """+Conv1d@torch.ao.nn.quantized.reference.modules.conv +Conv2d@torch.ao.nn.quantized.reference.modules.conv
+Conv3d@torch.ao.nn.quantized.reference.modules.conv
+ConvTranspose1d@torch.ao.nn.quantized.reference.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.reference.modules.conv
+ConvTranspose3d@torch.ao.nn.quantized.reference.modules.conv
+Embedding@torch.ao.nn.quantized.reference.modules.sparse
+EmbeddingBag@torch.ao.nn.quantized.reference.modules.sparse
+GRU@torch.ao.nn.quantized.reference.modules.rnn +GRUCell@torch.ao.nn.quantized.reference.modules.rnn
+LSTM@torch.ao.nn.quantized.reference.modules.rnn +LSTMCell@torch.ao.nn.quantized.reference.modules.rnn
+Linear@torch.ao.nn.quantized.reference.modules.linear +RNNCell@torch.ao.nn.quantized.reference.modules.rnn""",
    "torch.ao.nn.quantized.reference.modules": """+Conv1d@torch.ao.nn.quantized.reference.modules.conv +Conv2d@torch.ao.nn.quantized.reference.modules.conv
+Conv3d@torch.ao.nn.quantized.reference.modules.conv
+ConvTranspose1d@torch.ao.nn.quantized.reference.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.reference.modules.conv
+ConvTranspose3d@torch.ao.nn.quantized.reference.modules.conv
+Embedding@torch.ao.nn.quantized.reference.modules.sparse
+EmbeddingBag@torch.ao.nn.quantized.reference.modules.sparse
+GRU@torch.ao.nn.quantized.reference.modules.rnn +GRUCell@torch.ao.nn.quantized.reference.modules.rnn
+LSTM@torch.ao.nn.quantized.reference.modules.rnn +LSTMCell@torch.ao.nn.quantized.reference.modules.rnn
+Linear@torch.ao.nn.quantized.reference.modules.linear +RNNCell@torch.ao.nn.quantized.reference.modules.rnn""",
    "torch.ao.nn.quantized.reference.modules.conv": """+Conv1d:Module +Conv2d:Module +Conv3d:Module +ConvTranspose1d:Module +ConvTranspose2d:Module
+ConvTranspose3d:Module +ReferenceQuantizedModule@torch.ao.nn.quantized.reference.modules.utils""",
    "torch.ao.nn.quantized.reference.modules.linear": """+Linear:Module +ReferenceQuantizedModule@torch.ao.nn.quantized.reference.modules.utils""",
    "torch.ao.nn.quantized.reference.modules.rnn": """+GRU:Module +GRUCell:Module +LSTM:Module +LSTMCell:Module +RNNBase:Module +RNNCell:Module
+RNNCellBase:Module get_quantized_weight""",
    "torch.ao.nn.quantized.reference.modules.sparse": """+Embedding:Module +EmbeddingBag:Module
+ReferenceQuantizedModule@torch.ao.nn.quantized.reference.modules.utils""",
    "torch.ao.nn.quantized.reference.modules.utils": """+ReferenceQuantizedModule:Module""",
    "torch.ao.nn.sparse": "",
    "torch.ao.nn.sparse.quantized": """+Linear@torch.ao.nn.sparse.quantized.linear +LinearPackedParams@torch.ao.nn.sparse.quantized.linear""",
    "torch.ao.nn.sparse.quantized.dynamic": """+Linear@torch.ao.nn.sparse.quantized.dynamic.linear""",
    "torch.ao.nn.sparse.quantized.dynamic.linear": """+Linear:Module +LinearBlockSparsePattern@torch.ao.nn.sparse.quantized.utils""",
    "torch.ao.nn.sparse.quantized.linear": """+Linear:Module +LinearPackedParams:Module""",
    "torch.ao.nn.sparse.quantized.utils": """+LinearBlockSparsePattern""",
    "torch.ao.ns": "",
    "torch.ao.ns.fx": "",
    "torch.ao.ns.fx.graph_matcher": """+FakeQuantizeBase@torch.ao.quantization.fake_quantize +GraphMatchingException:Exception
+NSSubgraph@torch.ao.ns.fx.ns_types +ObserverBase@torch.ao.quantization.observer
+SubgraphTypeRelationship{EQUAL=1,EQUAL_BUT_UKNOWN=2,RELATED_BUT_NOT_EQUAL=3,NOT_RELATED=4}
end_node_matches_reversed_fusion@torch.ao.ns.fx.pattern_utils
get_base_name_to_sets_of_related_ops@torch.ao.ns.fx.mappings get_matching_subgraph_pairs
get_reversed_fusions@torch.ao.ns.fx.pattern_utils get_type_a_related_to_b@torch.ao.ns.fx.pattern_utils
get_unmatchable_types_map@torch.ao.ns.fx.mappings getattr_from_fqn@torch.ao.quantization.utils""",
    "torch.ao.ns.fx.graph_passes": """+NSSingleResultValuesType@torch.ao.ns.fx.ns_types +NSSubgraph@torch.ao.ns.fx.ns_types
+NodeInputOrOutputType@torch.ao.ns.fx.utils add_loggers_to_model create_a_shadows_b
get_arg_indices_of_inputs_to_log@torch.ao.ns.fx.utils
get_new_attr_name_with_prefix@torch.ao.quantization.fx.utils
get_node_first_input_and_output_type@torch.ao.ns.fx.utils get_node_input_qparams@torch.ao.ns.fx.utils
get_node_type_to_io_type_map@torch.ao.ns.fx.mappings get_normalized_nth_input@torch.ao.ns.fx.utils
get_number_of_non_param_args@torch.ao.ns.fx.utils get_target_type_str@torch.ao.ns.fx.utils
getattr_from_fqn@torch.ao.quantization.utils op_type_supports_shadowing@torch.ao.ns.fx.utils
return_first_non_observer_node@torch.ao.ns.fx.utils""",
    "torch.ao.ns.fx.mappings": """add_op_to_sets_of_related_ops get_base_name_for_op get_base_name_to_sets_of_related_ops
get_native_backend_config@torch.ao.quantization.backend_config.native get_node_type_to_io_type_map
get_unmatchable_types_map""",
    "torch.ao.ns.fx.n_shadows_utils": """+NSSingleResultValuesType@torch.ao.ns.fx.ns_types +OutputProp
+QConfigMapping@torch.ao.quantization.qconfig_mapping QConfigAny create_add_loggers_graph
create_n_transformed_and_logged_copies_of_subgraph create_one_transformed_and_logged_copy_of_subgraph
create_results_comparison create_submodule_from_subgraph extract_weight_comparison
get_normalized_nth_input@torch.ao.ns.fx.utils get_target_type_str@torch.ao.ns.fx.utils
getattr_from_fqn@torch.ao.quantization.utils group_results_by_subgraph print_n_shadows_summary""",
    "torch.ao.ns.fx.ns_types": """+NSSingleResultValuesType +NSSubgraph:tuple""",
    "torch.ao.ns.fx.pattern_utils": """+FakeQuantizeBase@torch.ao.quantization.fake_quantize +ObserverBase@torch.ao.quantization.observer
end_node_matches_reversed_fusion get_native_backend_config@torch.ao.quantization.backend_config.native
get_reversed_fusions get_type_a_related_to_b getattr_from_fqn@torch.ao.quantization.utils""",
    "torch.ao.ns.fx.qconfig_multi_mapping": """+QConfigMapping@torch.ao.quantization.qconfig_mapping +QConfigMultiMapping""",
    "torch.ao.ns.fx.utils": """+FakeQuantizeBase@torch.ao.quantization.fake_quantize
+NodeInputOrOutputType{FP32=1,INT8=2,FP16=3,UNKNOWN=4,FP32_OR_INT8=5}
+ObserverBase@torch.ao.quantization.observer compute_cosine_similarity compute_normalized_l2_error
compute_sqnr get_arg_indices_of_inputs_to_log get_node_first_input_and_output_type get_node_input_qparams
get_normalized_nth_input get_number_of_non_param_args get_target_type_str
getattr_from_fqn@torch.ao.quantization.utils maybe_add_missing_fqns
maybe_dequantize_first_two_tensor_args_and_handle_tuples op_type_supports_shadowing
rekey_logger_info_on_node_name_of_model return_first_non_observer_node""",
    "torch.ao.ns.fx.weight_utils": """+NSSingleResultValuesType@torch.ao.ns.fx.ns_types extract_weight_from_node get_conv_fun_weight
get_conv_mod_weight get_linear_fun_weight get_linear_mod_weight get_lstm_mod_weights get_lstm_weight
get_op_to_type_to_weight_extraction_fn get_qconv_fun_weight get_qlinear_fun_weight get_qlstm_weight
get_target_type_str@torch.ao.ns.fx.utils getattr_from_fqn@torch.ao.quantization.utils mod_0_weight_detach
mod_weight_bias_0 mod_weight_detach return_first_non_observer_node@torch.ao.ns.fx.utils""",
    "torch.ao.pruning": """+BaseScheduler@torch.ao.pruning.scheduler.base_scheduler
+BaseSparsifier@torch.ao.pruning.sparsifier.base_sparsifier
+CubicSL@torch.ao.pruning.scheduler.cubic_scheduler +FakeSparsity@torch.ao.pruning.sparsifier.utils
+LambdaSL@torch.ao.pruning.scheduler.lambda_scheduler
+NearlyDiagonalSparsifier@torch.ao.pruning.sparsifier.nearly_diagonal_sparsifier
+WeightNormSparsifier@torch.ao.pruning.sparsifier.weight_norm_sparsifier
fqn_to_module@torch.ao.pruning.sparsifier.utils
get_arg_info_from_tensor_fqn@torch.ao.pruning.sparsifier.utils
get_dynamic_sparse_quantized_mapping@torch.ao.pruning._mappings
get_static_sparse_quantized_mapping@torch.ao.pruning._mappings
module_to_fqn@torch.ao.pruning.sparsifier.utils""",
    "torch.ao.pruning._mappings": """get_dynamic_sparse_quantized_mapping get_static_sparse_quantized_mapping""",
    "torch.ao.pruning.scheduler": "",
    "torch.ao.pruning.scheduler.base_scheduler": """+BaseScheduler +BaseSparsifier@torch.ao.pruning.sparsifier.base_sparsifier""",
    "torch.ao.pruning.scheduler.cubic_scheduler": """+BaseScheduler@torch.ao.pruning.scheduler.base_scheduler +CubicSL""",
    "torch.ao.pruning.scheduler.lambda_scheduler": """+BaseScheduler@torch.ao.pruning.scheduler.base_scheduler
+BaseSparsifier@torch.ao.pruning.sparsifier.base_sparsifier +LambdaSL""",
    "torch.ao.pruning.sparsifier": "",
    "torch.ao.pruning.sparsifier.base_sparsifier": """+BaseSparsifier +FakeSparsity@torch.ao.pruning.sparsifier.utils
get_arg_info_from_tensor_fqn@torch.ao.pruning.sparsifier.utils
module_contains_param@torch.ao.pruning.sparsifier.utils module_to_fqn@torch.ao.pruning.sparsifier.utils
swap_module@torch.ao.pruning.sparsifier.utils""",
    "torch.ao.pruning.sparsifier.nearly_diagonal_sparsifier": """+NearlyDiagonalSparsifier""",
    "torch.ao.pruning.sparsifier.utils": """+FakeSparsity:Module fqn_to_module get_arg_info_from_tensor_fqn module_contains_param module_to_fqn
swap_module""",
    "torch.ao.pruning.sparsifier.weight_norm_sparsifier": """+BaseSparsifier@torch.ao.pruning.sparsifier.base_sparsifier +WeightNormSparsifier""",
    "torch.ao.quantization": """+AffineQuantizedObserverBase@torch.ao.quantization.observer +DeQuantStub@torch.ao.quantization.stubs
+FakeQuantize@torch.ao.quantization.fake_quantize +FakeQuantizeBase@torch.ao.quantization.fake_quantize
+FixedQParamsFakeQuantize@torch.ao.quantization.fake_quantize
+FixedQParamsObserver@torch.ao.quantization.observer
+FusedMovingAvgObsFakeQuantize@torch.ao.quantization.fake_quantize
+Granularity@torch.ao.quantization.observer +HistogramObserver@torch.ao.quantization.observer
+MappingType@torch.ao.quantization.observer +MinMaxObserver@torch.ao.quantization.observer
+MovingAverageMinMaxObserver@torch.ao.quantization.observer
+MovingAveragePerChannelMinMaxObserver@torch.ao.quantization.observer
+NoopObserver@torch.ao.quantization.observer +ObserverBase@torch.ao.quantization.observer
+PerAxis@torch.ao.quantization.observer +PerBlock@torch.ao.quantization.observer
+PerChannelMinMaxObserver@torch.ao.quantization.observer +PerGroup@torch.ao.quantization.observer
+PerRow@torch.ao.quantization.observer +PerTensor@torch.ao.quantization.observer
+PerToken@torch.ao.quantization.observer +PlaceholderObserver@torch.ao.quantization.observer
+QConfig@torch.ao.quantization.qconfig +QConfigDynamic@torch.ao.quantization.qconfig
+QConfigMapping@torch.ao.quantization.qconfig_mapping +QuantStub@torch.ao.quantization.stubs
+QuantType@torch.ao.quantization.quant_type +QuantWrapper@torch.ao.quantization.stubs
+RecordingObserver@torch.ao.quantization.observer +ReuseInputObserver@torch.ao.quantization.observer
+TorchAODType@torch.ao.quantization.observer +UniformQuantizationObserverBase@torch.ao.quantization.observer
+ZeroPointDomain@torch.ao.quantization.observer +default_debug_observer:Module
+default_placeholder_observer:Module +default_reuse_input_observer:Module ObserverOrFakeQuantize QConfigAny
add_quant_dequant@torch.ao.quantization.quantize convert@torch.ao.quantization.quantize
convert_dynamic_jit@torch.ao.quantization.quantize_jit convert_jit@torch.ao.quantization.quantize_jit
default_affine_fixed_qparams_fake_quant default_affine_fixed_qparams_observer default_dynamic_fake_quant
default_dynamic_quant_observer default_embedding_fake_quant default_embedding_fake_quant_4bit
default_eval_fn default_fake_quant default_fixed_qparams_range_0to1_fake_quant
default_fixed_qparams_range_0to1_observer default_fixed_qparams_range_neg1to1_fake_quant
default_fixed_qparams_range_neg1to1_observer default_float_qparams_observer
default_float_qparams_observer_4bit default_fused_act_fake_quant default_fused_per_channel_wt_fake_quant
default_fused_wt_fake_quant default_histogram_fake_quant default_histogram_observer default_observer
default_per_channel_weight_fake_quant default_per_channel_weight_observer
default_symmetric_fixed_qparams_fake_quant default_symmetric_fixed_qparams_observer
default_weight_fake_quant default_weight_observer disable_fake_quant@torch.ao.quantization.fake_quantize
disable_observer@torch.ao.quantization.fake_quantize enable_fake_quant@torch.ao.quantization.fake_quantize
enable_observer@torch.ao.quantization.fake_quantize fuse_conv_bn@torch.ao.quantization.fuser_method_mappings
fuse_conv_bn_jit@torch.ao.quantization.quantize_jit
fuse_conv_bn_relu@torch.ao.quantization.fuser_method_mappings
fuse_convtranspose_bn@torch.ao.quantization.fuser_method_mappings
fuse_linear_bn@torch.ao.quantization.fuser_method_mappings fuse_modules@torch.ao.quantization.fuse_modules
fuse_modules_qat@torch.ao.quantization.fuse_modules fused_per_channel_wt_fake_quant_range_neg_127_to_127
fused_wt_fake_quant_range_neg_127_to_127 get_block_size@torch.ao.quantization.observer
get_default_compare_output_module_list@torch.ao.quantization.quantization_mappings
get_default_custom_config_dict@torch.ao.quantization.quantize
get_default_dynamic_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_default_dynamic_sparse_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_default_float_to_quantized_operator_mappings@torch.ao.quantization.quantization_mappings
get_default_qat_module_mappings@torch.ao.quantization.quantization_mappings
get_default_qat_qconfig@torch.ao.quantization.qconfig
get_default_qat_qconfig_dict@torch.ao.quantization.qconfig
get_default_qat_qconfig_mapping@torch.ao.quantization.qconfig_mapping
get_default_qconfig@torch.ao.quantization.qconfig get_default_qconfig_dict@torch.ao.quantization.qconfig
get_default_qconfig_mapping@torch.ao.quantization.qconfig_mapping
get_default_qconfig_propagation_list@torch.ao.quantization.quantization_mappings
get_default_static_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_default_static_quant_reference_module_mappings@torch.ao.quantization.quantization_mappings
get_default_static_sparse_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_dynamic_quant_module_class@torch.ao.quantization.quantization_mappings
get_embedding_qat_module_mappings@torch.ao.quantization.quantization_mappings
get_embedding_static_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_fuser_method@torch.ao.quantization.fuser_method_mappings
get_fuser_method_new@torch.ao.quantization.fuser_method_mappings
get_observer_state_dict@torch.ao.quantization.observer
get_quantized_operator@torch.ao.quantization.quantization_mappings
get_static_quant_module_class@torch.ao.quantization.quantization_mappings
load_observer_state_dict@torch.ao.quantization.observer
no_observer_set@torch.ao.quantization.quantization_mappings per_channel_weight_observer_range_neg_127_to_127
prepare@torch.ao.quantization.quantize prepare_dynamic_jit@torch.ao.quantization.quantize_jit
prepare_jit@torch.ao.quantization.quantize_jit prepare_qat@torch.ao.quantization.quantize
propagate_qconfig_@torch.ao.quantization.quantize qconfig_equals@torch.ao.quantization.qconfig
quantize@torch.ao.quantization.quantize quantize_dynamic@torch.ao.quantization.quantize
quantize_dynamic_jit@torch.ao.quantization.quantize_jit quantize_jit@torch.ao.quantization.quantize_jit
quantize_qat@torch.ao.quantization.quantize script_qconfig@torch.ao.quantization.quantize_jit
script_qconfig_dict@torch.ao.quantization.quantize_jit swap_module@torch.ao.quantization.quantize
weight_observer_range_neg_127_to_127""",
    "torch.ao.quantization.backend_config": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+BackendPatternConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config
+DTypeWithConstraints@torch.ao.quantization.backend_config.backend_config
+ObservationType@torch.ao.quantization.backend_config.backend_config
get_executorch_backend_config@torch.ao.quantization.backend_config.executorch
get_fbgemm_backend_config@torch.ao.quantization.backend_config.fbgemm
get_native_backend_config@torch.ao.quantization.backend_config.native
get_native_backend_config_dict@torch.ao.quantization.backend_config.native
get_onednn_backend_config@torch.ao.quantization.backend_config.onednn
get_qnnpack_backend_config@torch.ao.quantization.backend_config.qnnpack
get_tensorrt_backend_config@torch.ao.quantization.backend_config.tensorrt
get_tensorrt_backend_config_dict@torch.ao.quantization.backend_config.tensorrt""",
    "torch.ao.quantization.backend_config.backend_config": """+BackendConfig +BackendPatternConfig +DTypeConfig +DTypeWithConstraints
+ObservationType{OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT=0,OUTPUT_SHARE_OBSERVER_WITH_INPUT=1,INPUT_OUTPUT_NOT_OBSERVED=2}""",
    "torch.ao.quantization.backend_config.executorch": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+BackendPatternConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config
+DTypeWithConstraints@torch.ao.quantization.backend_config.backend_config
+ObservationType@torch.ao.quantization.backend_config.backend_config
fuse_conv_bn@torch.ao.quantization.fuser_method_mappings
fuse_conv_bn_relu@torch.ao.quantization.fuser_method_mappings get_executorch_backend_config""",
    "torch.ao.quantization.backend_config.fbgemm": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config get_fbgemm_backend_config""",
    "torch.ao.quantization.backend_config.native": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config get_native_backend_config
get_native_backend_config_dict get_test_only_legacy_native_backend_config
get_test_only_legacy_native_backend_config_dict""",
    "torch.ao.quantization.backend_config.onednn": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+BackendPatternConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config +MatchAllNode@torch.ao.quantization.utils
+ObservationType@torch.ao.quantization.backend_config.backend_config get_onednn_backend_config""",
    "torch.ao.quantization.backend_config.qnnpack": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config
+DTypeWithConstraints@torch.ao.quantization.backend_config.backend_config get_qnnpack_backend_config""",
    "torch.ao.quantization.backend_config.tensorrt": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+BackendPatternConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config
+ObservationType@torch.ao.quantization.backend_config.backend_config get_tensorrt_backend_config
get_tensorrt_backend_config_dict""",
    "torch.ao.quantization.backend_config.utils": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+BackendPatternConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config Pattern entry_to_pretty_str
get_fused_module_classes get_fuser_method_mapping get_fusion_pattern_to_extra_inputs_getter
get_fusion_pattern_to_root_node_getter get_module_to_qat_module get_pattern_to_dtype_configs
get_pattern_to_input_type_to_index get_qat_module_classes get_root_module_to_quantized_reference_module
pattern_to_human_readable remove_boolean_dispatch_from_name""",
    "torch.ao.quantization.backend_config.x86": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config get_x86_backend_config""",
    "torch.ao.quantization.fake_quantize": """+FakeQuantize:Module +FakeQuantizeBase:Module +FixedQParamsFakeQuantize:Module
+FixedQParamsObserver@torch.ao.quantization.observer +FusedMovingAvgObsFakeQuantize:Module
+HistogramObserver@torch.ao.quantization.observer
+MovingAverageMinMaxObserver@torch.ao.quantization.observer
+MovingAveragePerChannelMinMaxObserver@torch.ao.quantization.observer
default_affine_fixed_qparams_fake_quant default_dynamic_fake_quant default_embedding_fake_quant
default_embedding_fake_quant_4bit default_fake_quant default_fixed_qparams_range_0to1_fake_quant
default_fixed_qparams_range_0to1_observer default_fixed_qparams_range_neg1to1_fake_quant
default_fixed_qparams_range_neg1to1_observer default_fused_act_fake_quant
default_fused_per_channel_wt_fake_quant default_fused_wt_fake_quant default_histogram_fake_quant
default_per_channel_weight_fake_quant default_symmetric_fixed_qparams_fake_quant default_weight_fake_quant
disable_fake_quant disable_observer enable_fake_quant enable_observer
fused_per_channel_wt_fake_quant_range_neg_127_to_127 fused_wt_fake_quant_range_neg_127_to_127""",
    "torch.ao.quantization.fuse_modules": """fuse_conv_bn@torch.ao.quantization.fuser_method_mappings
fuse_conv_bn_relu@torch.ao.quantization.fuser_method_mappings fuse_known_modules fuse_modules
fuse_modules_qat get_fuser_method@torch.ao.quantization.fuser_method_mappings""",
    "torch.ao.quantization.fuser_method_mappings": """+MatchAllNode@torch.ao.quantization.utils Pattern fuse_conv_bn fuse_conv_bn_relu fuse_convtranspose_bn
fuse_linear_bn get_combined_dict@torch.ao.quantization.utils get_fuser_method get_fuser_method_new""",
    "torch.ao.quantization.fx": """convert@torch.ao.quantization.fx.convert fuse@torch.ao.quantization.fx.fuse
prepare@torch.ao.quantization.fx.prepare""",
    "torch.ao.quantization.fx._equalize": """convert_eq_obs is_equalization_observer node_supports_equalization update_obs_for_equalization""",
    "torch.ao.quantization.fx.convert": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+ConvertCustomConfig@torch.ao.quantization.fx.custom_config +DeQuantStub@torch.ao.quantization.stubs
+PrepareCustomConfig@torch.ao.quantization.fx.custom_config
+QConfigMapping@torch.ao.quantization.qconfig_mapping +QuantType@torch.ao.quantization.quant_type QConfigAny
activation_is_statically_quantized@torch.ao.quantization.utils
assert_and_get_unique_device@torch.ao.quantization.fx.utils
collect_producer_nodes@torch.ao.quantization.fx.utils convert convert_custom_module
convert_eq_obs@torch.ao.quantization.fx._equalize convert_standalone_module convert_weighted_module
create_getattr_from_value@torch.ao.quantization.fx.utils
get_custom_module_class_keys@torch.ao.quantization.fx.utils
get_fused_module_classes@torch.ao.quantization.backend_config.utils
get_native_backend_config@torch.ao.quantization.backend_config.native
get_pattern_to_dtype_configs@torch.ao.quantization.backend_config.utils
get_qat_module_classes@torch.ao.quantization.backend_config.utils
get_qparam_dict@torch.ao.quantization.utils
get_root_module_to_quantized_reference_module@torch.ao.quantization.backend_config.utils
get_swapped_custom_module_class@torch.ao.quantization.utils
graph_module_from_producer_nodes@torch.ao.quantization.fx.utils is_per_channel@torch.ao.quantization.utils
lower_to_fbgemm@torch.ao.quantization.fx.lower_to_fbgemm node_arg_is_weight@torch.ao.quantization.fx.utils
qconfig_equals@torch.ao.quantization.qconfig to_underlying_dtype@torch.ao.quantization.utils
update_obs_for_equalization@torch.ao.quantization.fx._equalize
weight_is_quantized@torch.ao.quantization.utils""",
    "torch.ao.quantization.fx.custom_config": """+BackendConfig@torch.ao.quantization.backend_config.backend_config +ConvertCustomConfig +FuseCustomConfig
+PrepareCustomConfig +QConfigMapping@torch.ao.quantization.qconfig_mapping
+QuantType@torch.ao.quantization.quant_type +StandaloneModuleConfigEntry""",
    "torch.ao.quantization.fx.fuse": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+FuseCustomConfig@torch.ao.quantization.fx.custom_config +FuseHandler@torch.ao.quantization.fx.fuse_handler
+MatchAllNode@torch.ao.quantization.utils NodePattern Pattern fuse
get_fuser_method_mapping@torch.ao.quantization.backend_config.utils
get_fusion_pattern_to_extra_inputs_getter@torch.ao.quantization.backend_config.utils
get_fusion_pattern_to_root_node_getter@torch.ao.quantization.backend_config.utils
get_native_backend_config@torch.ao.quantization.backend_config.native""",
    "torch.ao.quantization.fx.fuse_handler": """+BackendConfig@torch.ao.quantization.backend_config.backend_config +DefaultFuseHandler
+FuseCustomConfig@torch.ao.quantization.fx.custom_config +FuseHandler
+MatchAllNode@torch.ao.quantization.utils NodePattern Pattern
get_fuser_method_new@torch.ao.quantization.fuser_method_mappings""",
    "torch.ao.quantization.fx.graph_module": """+FusedGraphModule:Module +ObservedGraphModule:Module +ObservedStandaloneGraphModule:Module
+QuantizedGraphModule:Module""",
    "torch.ao.quantization.fx.lower_to_fbgemm": """QConfigAny lower_to_fbgemm""",
    "torch.ao.quantization.fx.lower_to_qnnpack": """QConfigAny lower_to_qnnpack""",
    "torch.ao.quantization.fx.lstm_utils": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+FakeQuantizeBase@torch.ao.quantization.fake_quantize +QConfig@torch.ao.quantization.qconfig
+QConfigMapping@torch.ao.quantization.qconfig_mapping
convert_to_reference_fx@torch.ao.quantization.quantize_fx default_weight_fake_quant default_weight_observer
prepare_fx@torch.ao.quantization.quantize_fx""",
    "torch.ao.quantization.fx.match_utils": """+MatchAllNode@torch.ao.quantization.utils +QuantizeHandler Pattern QConfigAny""",
    "torch.ao.quantization.fx.pattern_utils": """+FixedQParamsFakeQuantize@torch.ao.quantization.fake_quantize +ObserverBase@torch.ao.quantization.observer
Pattern get_default_fusion_patterns get_default_output_activation_post_process_map
get_default_quant_patterns""",
    "torch.ao.quantization.fx.prepare": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config +FakeTensor@torch._subclasses.fake_tensor
+ObservedGraphModuleAttrs@torch.ao.quantization.fx.utils +ObserverBase@torch.ao.quantization.observer
+PlaceholderObserver@torch.ao.quantization.observer
+PrepareCustomConfig@torch.ao.quantization.fx.custom_config
+QConfigMapping@torch.ao.quantization.qconfig_mapping +QuantizeHandler
+StandaloneModuleConfigEntry@torch.ao.quantization.fx.custom_config NodePattern ObserverOrFakeQuantize
Pattern QConfigAny all_node_args_have_no_tensors@torch.ao.quantization.fx.utils
assert_and_get_unique_device@torch.ao.quantization.fx.utils convert@torch.ao.quantization.quantize
get_custom_module_class_keys@torch.ao.quantization.fx.utils
get_fusion_pattern_to_root_node_getter@torch.ao.quantization.backend_config.utils
get_module_to_qat_module@torch.ao.quantization.backend_config.utils
get_native_backend_config@torch.ao.quantization.backend_config.native
get_new_attr_name_with_prefix@torch.ao.quantization.fx.utils
get_non_observable_arg_indexes_and_types@torch.ao.quantization.fx.utils
get_pattern_to_dtype_configs@torch.ao.quantization.backend_config.utils
get_qconfig_dtypes@torch.ao.quantization.utils get_swapped_custom_module_class@torch.ao.quantization.utils
insert_observers_for_model is_equalization_observer@torch.ao.quantization.fx._equalize
node_arg_is_bias@torch.ao.quantization.fx.utils node_arg_is_weight@torch.ao.quantization.fx.utils
node_supports_equalization@torch.ao.quantization.fx._equalize prepare propagate_dtypes_for_known_nodes
propagate_qconfig_@torch.ao.quantization.quantize""",
    "torch.ao.quantization.fx.qconfig_mapping_utils": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+DTypeConfig@torch.ao.quantization.backend_config.backend_config +QConfig@torch.ao.quantization.qconfig
+QConfigMapping@torch.ao.quantization.qconfig_mapping QConfigAny
get_module_to_qat_module@torch.ao.quantization.backend_config.utils
get_qconfig_dtypes@torch.ao.quantization.utils qconfig_equals@torch.ao.quantization.qconfig""",
    "torch.ao.quantization.fx.quantize_handler": """+BackendConfig@torch.ao.quantization.backend_config.backend_config +BatchNormQuantizeHandler
+BinaryOpQuantizeHandler +CatQuantizeHandler +ConvReluQuantizeHandler +CopyNodeQuantizeHandler
+CustomModuleQuantizeHandler +DTypeConfig@torch.ao.quantization.backend_config.backend_config
+DefaultNodeQuantizeHandler +EmbeddingQuantizeHandler +FixedQParamsOpQuantizeHandler
+GeneralTensorShapeOpQuantizeHandler +LinearReLUQuantizeHandler
+ObservationType@torch.ao.quantization.backend_config.backend_config +QuantizeHandler
+RNNDynamicQuantizeHandler +StandaloneModuleQuantizeHandler NodePattern Pattern
all_node_args_have_no_tensors@torch.ao.quantization.fx.utils""",
    "torch.ao.quantization.fx.tracer": """+QuantizationTracer +ScopeContextManager""",
    "torch.ao.quantization.fx.utils": """+DTypeWithConstraints@torch.ao.quantization.backend_config.backend_config
+DeQuantStub@torch.ao.quantization.stubs +FakeQuantizeBase@torch.ao.quantization.fake_quantize
+FixedQParamsFakeQuantize@torch.ao.quantization.fake_quantize
+FixedQParamsObserver@torch.ao.quantization.observer +NodeInfo:tuple +ObservedGraphModuleAttrs
+ObserverBase@torch.ao.quantization.observer +PrepareCustomConfig@torch.ao.quantization.fx.custom_config
+QConfigMapping@torch.ao.quantization.qconfig_mapping +QuantType@torch.ao.quantization.quant_type QConfigAny
activation_is_statically_quantized@torch.ao.quantization.utils all_node_args_except_first
all_node_args_have_no_tensors assert_and_get_unique_device collect_producer_nodes create_getattr_from_value
create_node_from_old_node_preserve_meta get_custom_module_class_keys get_linear_prepack_op_for_dtype
get_new_attr_name_with_prefix get_non_observable_arg_indexes_and_types get_qconv_prepack_op
get_skipped_module_name_and_classes graph_module_from_producer_nodes maybe_get_next_module node_arg_is_bias
node_arg_is_weight qconfig_equals@torch.ao.quantization.qconfig return_arg_list""",
    "torch.ao.quantization.observer": """+AffineQuantizedObserverBase:Module +FixedQParamsObserver:Module +Granularity +HistogramObserver:Module
+MappingType{SYMMETRIC=1,SYMMETRIC_NO_CLIPPING_ERR=2,ASYMMETRIC=3} +MinMaxObserver:Module
+MovingAverageMinMaxObserver:Module +MovingAveragePerChannelMinMaxObserver:Module +NoopObserver:Module
+ObserverBase:Module +PerAxis +PerBlock +PerChannelMinMaxObserver:Module +PerGroup +PerRow +PerTensor
+PerToken +PlaceholderObserver:Module +RecordingObserver:Module +ReuseInputObserver:Module
+TorchAODType{INT1=1,INT2=2,INT3=3,INT4=4,INT5=5,INT6=6,INT7=7} +UniformQuantizationObserverBase:Module
+ZeroPointDomain{INT=1,FLOAT=2,NONE=3} +default_debug_observer:Module +default_placeholder_observer:Module
+default_reuse_input_observer:Module calculate_qmin_qmax@torch.ao.quantization.utils
check_min_max_valid@torch.ao.quantization.utils default_affine_fixed_qparams_observer
default_dynamic_quant_observer default_fixed_qparams_range_0to1_observer
default_fixed_qparams_range_neg1to1_observer default_float_qparams_observer
default_float_qparams_observer_4bit default_histogram_observer default_observer
default_per_channel_weight_observer default_symmetric_fixed_qparams_observer default_weight_observer
get_block_size get_observer_state_dict is_per_channel@torch.ao.quantization.utils
is_per_tensor@torch.ao.quantization.utils load_observer_state_dict
per_channel_weight_observer_range_neg_127_to_127 validate_qmin_qmax@torch.ao.quantization.utils
weight_observer_range_neg_127_to_127""",
    "torch.ao.quantization.qconfig": """+FakeQuantize@torch.ao.quantization.fake_quantize +FakeQuantizeBase@torch.ao.quantization.fake_quantize
+FusedMovingAvgObsFakeQuantize@torch.ao.quantization.fake_quantize
+HistogramObserver@torch.ao.quantization.observer +MinMaxObserver@torch.ao.quantization.observer
+MovingAverageMinMaxObserver@torch.ao.quantization.observer +NoopObserver@torch.ao.quantization.observer
+ObserverBase@torch.ao.quantization.observer +PlaceholderObserver@torch.ao.quantization.observer
+QConfig:tuple +QConfigDynamic:tuple +ReuseInputObserver@torch.ao.quantization.observer
+default_debug_observer:Module +default_placeholder_observer:Module +default_reuse_input_observer:Module
QConfigAny default_dynamic_fake_quant default_dynamic_quant_observer default_embedding_fake_quant
default_embedding_fake_quant_4bit default_fake_quant default_float_qparams_observer
default_float_qparams_observer_4bit default_fused_act_fake_quant default_fused_per_channel_wt_fake_quant
default_fused_wt_fake_quant default_observer default_per_channel_weight_fake_quant
default_per_channel_weight_observer default_weight_fake_quant default_weight_observer
fused_per_channel_wt_fake_quant_range_neg_127_to_127 fused_wt_fake_quant_range_neg_127_to_127
get_default_qat_qconfig get_default_qat_qconfig_dict get_default_qconfig get_default_qconfig_dict
per_channel_weight_observer_range_neg_127_to_127 qconfig_equals weight_observer_range_neg_127_to_127""",
    "torch.ao.quantization.qconfig_mapping": """+FixedQParamsFakeQuantize@torch.ao.quantization.fake_quantize +QConfig@torch.ao.quantization.qconfig
+QConfigMapping +default_placeholder_observer:Module QConfigAny default_fixed_qparams_range_0to1_observer
default_fixed_qparams_range_neg1to1_observer default_weight_fake_quant default_weight_observer
get_default_qat_qconfig@torch.ao.quantization.qconfig get_default_qat_qconfig_mapping
get_default_qconfig@torch.ao.quantization.qconfig get_default_qconfig_mapping""",
    "torch.ao.quantization.quant_type": """+QuantType{DYNAMIC=0,STATIC=1,QAT=2,WEIGHT_ONLY=3}""",
    "torch.ao.quantization.quantization_mappings": """+DeQuantStub@torch.ao.quantization.stubs +QuantStub@torch.ao.quantization.stubs
default_fixed_qparams_range_0to1_fake_quant default_fixed_qparams_range_neg1to1_fake_quant
get_combined_dict@torch.ao.quantization.utils get_default_compare_output_module_list
get_default_dynamic_quant_module_mappings get_default_dynamic_sparse_quant_module_mappings
get_default_float_to_quantized_operator_mappings get_default_qat_module_mappings
get_default_qconfig_propagation_list get_default_static_quant_module_mappings
get_default_static_quant_reference_module_mappings get_default_static_sparse_quant_module_mappings
get_dynamic_quant_module_class get_embedding_qat_module_mappings get_embedding_static_quant_module_mappings
get_quantized_operator get_static_quant_module_class no_observer_set""",
    "torch.ao.quantization.quantize": """+DeQuantStub@torch.ao.quantization.stubs +QuantWrapper@torch.ao.quantization.stubs add_quant_dequant convert
get_default_custom_config_dict
get_default_dynamic_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_default_qat_module_mappings@torch.ao.quantization.quantization_mappings
get_default_qconfig_propagation_list@torch.ao.quantization.quantization_mappings
get_default_static_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_default_static_quant_reference_module_mappings@torch.ao.quantization.quantization_mappings
get_qparam_dict@torch.ao.quantization.utils
has_no_children_ignoring_parametrizations@torch.ao.quantization.utils is_activation_post_process
no_observer_set@torch.ao.quantization.quantization_mappings prepare prepare_qat propagate_qconfig_ quantize
quantize_dynamic quantize_qat swap_module""",
    "torch.ao.quantization.quantize_fx": """+BackendConfig@torch.ao.quantization.backend_config.backend_config
+ConvertCustomConfig@torch.ao.quantization.fx.custom_config
+FuseCustomConfig@torch.ao.quantization.fx.custom_config
+ObservedGraphModule@torch.ao.quantization.fx.graph_module
+PrepareCustomConfig@torch.ao.quantization.fx.custom_config
+QConfigMapping@torch.ao.quantization.qconfig_mapping +QuantizationTracer@torch.ao.quantization.fx.tracer
+ScopeContextManager@torch.ao.quantization.fx.tracer attach_preserved_attrs_to_model
convert@torch.ao.quantization.fx.convert convert_fx convert_to_reference_fx
fuse@torch.ao.quantization.fx.fuse fuse_fx get_custom_module_class_keys@torch.ao.quantization.fx.utils
get_skipped_module_name_and_classes@torch.ao.quantization.fx.utils
get_tensorrt_backend_config@torch.ao.quantization.backend_config.tensorrt
prepare@torch.ao.quantization.fx.prepare prepare_fx prepare_qat_fx""",
    "torch.ao.quantization.quantize_jit": """+QConfig@torch.ao.quantization.qconfig +QuantType@torch.ao.quantization.quant_type convert_dynamic_jit
convert_jit fuse_conv_bn_jit prepare_dynamic_jit prepare_jit quantize_dynamic_jit quantize_jit
script_qconfig script_qconfig_dict wrap_cpp_module@torch.jit._recursive""",
    "torch.ao.quantization.stubs": """+DeQuantStub:Module +QConfig@torch.ao.quantization.qconfig +QuantStub:Module +QuantWrapper:Module""",
    "torch.ao.quantization.utils": """+MatchAllNode +QuantType@torch.ao.quantization.quant_type NodePattern Pattern activation_dtype
activation_is_dynamically_quantized activation_is_int32_quantized activation_is_int8_quantized
activation_is_statically_quantized calculate_qmin_qmax check_min_max_valid check_node determine_qparams
get_combined_dict get_fqn_to_example_inputs get_qconfig_dtypes get_qparam_dict get_quant_type
get_swapped_custom_module_class getattr_from_fqn has_no_children_ignoring_parametrizations is_per_channel
is_per_tensor op_is_int8_dynamically_quantized to_underlying_dtype validate_qmin_qmax weight_dtype
weight_is_quantized weight_is_statically_quantized""",
    "torch.distributed": """+AllToAllOptions@torch.distributed.distributed_c10d
+AllreduceCoalescedOptions@torch.distributed.distributed_c10d
+AllreduceOptions@torch.distributed.distributed_c10d +Backend@torch.distributed.distributed_c10d
+BackendConfig@torch.distributed.distributed_c10d +BarrierOptions@torch.distributed.distributed_c10d
+BroadcastOptions@torch.distributed.distributed_c10d +BuiltinCommHookType@torch._C._distributed_c10d
+DebugLevel@torch.distributed.distributed_c10d +DeviceMesh@torch.distributed.device_mesh
+DistBackendError:RuntimeError +DistError:RuntimeError +DistNetworkError:RuntimeError
+DistStoreError:RuntimeError +FileStore@torch._C._distributed_c10d
+GatherOptions@torch.distributed.distributed_c10d +GradBucket@torch._C._distributed_c10d
+GroupMember@torch.distributed.distributed_c10d +HashStore@torch._C._distributed_c10d
+Logger@torch._C._distributed_c10d +P2POp@torch.distributed.distributed_c10d
+PrefixStore@torch.distributed.distributed_c10d +ProcessGroup@torch.distributed.distributed_c10d
+ProcessGroupGloo@torch.distributed.distributed_c10d +QueueEmptyError:RuntimeError
+ReduceOp@torch.distributed.distributed_c10d +ReduceOptions@torch.distributed.distributed_c10d
+ReduceScatterOptions@torch.distributed.distributed_c10d +Reducer@torch._C._distributed_c10d
+ScatterOptions@torch.distributed.distributed_c10d +Store@torch.distributed.distributed_c10d
+TCPStore@torch._C._distributed_c10d +Work@torch.distributed.distributed_c10d
+group@torch.distributed.distributed_c10d GroupName@torch.distributed.distributed_c10d
all_gather@torch.distributed.distributed_c10d all_gather_coalesced@torch.distributed.distributed_c10d
all_gather_into_tensor@torch.distributed.distributed_c10d
all_gather_object@torch.distributed.distributed_c10d all_gather_single@torch.distributed.distributed_c10d
all_reduce@torch.distributed.distributed_c10d all_reduce_coalesced@torch.distributed.distributed_c10d
all_to_all@torch.distributed.distributed_c10d all_to_all_single@torch.distributed.distributed_c10d
barrier@torch.distributed.distributed_c10d batch_isend_irecv@torch.distributed.distributed_c10d breakpoint
broadcast@torch.distributed.distributed_c10d broadcast_object_list@torch.distributed.distributed_c10d
destroy_process_group@torch.distributed.distributed_c10d gather@torch.distributed.distributed_c10d
gather_object@torch.distributed.distributed_c10d get_backend@torch.distributed.distributed_c10d
get_backend_config@torch.distributed.distributed_c10d get_debug_level
get_default_backend_for_device@torch.distributed.distributed_c10d
get_global_rank@torch.distributed.distributed_c10d get_group_rank@torch.distributed.distributed_c10d
get_node_local_rank@torch.distributed.distributed_c10d get_pg_count@torch.distributed.distributed_c10d
get_process_group_ranks@torch.distributed.distributed_c10d get_rank@torch.distributed.distributed_c10d
get_world_size@torch.distributed.distributed_c10d init_device_mesh@torch.distributed.device_mesh
init_process_group@torch.distributed.distributed_c10d irecv@torch.distributed.distributed_c10d is_available
is_backend_available@torch.distributed.distributed_c10d is_gloo_available@torch.distributed.distributed_c10d
is_initialized@torch.distributed.distributed_c10d is_mpi_available@torch.distributed.distributed_c10d
is_nccl_available@torch.distributed.distributed_c10d
is_torchelastic_launched@torch.distributed.distributed_c10d
is_ucc_available@torch.distributed.distributed_c10d is_xccl_available@torch.distributed.distributed_c10d
isend@torch.distributed.distributed_c10d monitored_barrier@torch.distributed.distributed_c10d
new_group@torch.distributed.distributed_c10d new_subgroups@torch.distributed.distributed_c10d
new_subgroups_by_enumeration@torch.distributed.distributed_c10d
record_comm@torch.distributed.distributed_c10d recv@torch.distributed.distributed_c10d
recv_object_list@torch.distributed.distributed_c10d reduce@torch.distributed.distributed_c10d
reduce_scatter@torch.distributed.distributed_c10d reduce_scatter_single@torch.distributed.distributed_c10d
reduce_scatter_tensor@torch.distributed.distributed_c10d
register_rendezvous_handler@torch.distributed.rendezvous rendezvous@torch.distributed.rendezvous
scatter@torch.distributed.distributed_c10d scatter_object_list@torch.distributed.distributed_c10d
send@torch.distributed.distributed_c10d send_object_list@torch.distributed.distributed_c10d set_debug_level
set_debug_level_from_env shrink_group@torch.distributed.distributed_c10d
split_group@torch.distributed.distributed_c10d supports_complex@torch.distributed.distributed_c10d""",
    "torch.distributed._composable.replicate_with_fsdp": """+ReplicateModule replicate""",
    "torch.distributed._functional_collectives": """+AsyncCollectiveTensor:Tensor""",
    "torch.distributed._local_tensor": """maybe_run_for_local_tensor""",
    "torch.distributed._shard": "",
    "torch.distributed._shard._utils": """narrow_tensor_by_index""",
    "torch.distributed._shard.metadata": """+ShardMetadata""",
    "torch.distributed._shard.sharded_tensor": "",
    "torch.distributed._shard.sharded_tensor.api": """+ShardedTensor:Tensor""",
    "torch.distributed._shard.sharded_tensor.metadata": """+ShardedTensorMetadata +TensorProperties""",
    "torch.distributed._shard.sharded_tensor.shard": """+Shard""",
    "torch.distributed._shard.sharding_spec": "",
    "torch.distributed._shard.sharding_spec.chunk_sharding_spec": """+ChunkShardingSpec""",
    "torch.distributed.algorithms": """+Join@torch.distributed.algorithms.join +JoinHook@torch.distributed.algorithms.join
+Joinable@torch.distributed.algorithms.join""",
    "torch.distributed.algorithms._checkpoint": "",
    "torch.distributed.algorithms._checkpoint.checkpoint_wrapper": """+ActivationWrapper:Module +CheckpointImpl{REENTRANT=1,NO_REENTRANT=2} +CheckpointWrapper:Module
apply_activation_checkpointing checkpoint_wrapper offload_wrapper""",
    "torch.distributed.algorithms.ddp_comm_hooks": """+DDPCommHookType register_ddp_comm_hook""",
    "torch.distributed.algorithms.ddp_comm_hooks.ddp_zero_hook": """+DistributedDataParallel@torch.nn.parallel.distributed
+ZeroRedundancyOptimizer@torch.distributed.optim.zero_redundancy_optimizer hook_with_zero_step
hook_with_zero_step_interleaved""",
    "torch.distributed.algorithms.ddp_comm_hooks.debugging_hooks": """+GradBucket@torch._C._distributed_c10d noop_hook""",
    "torch.distributed.algorithms.ddp_comm_hooks.default_hooks": """allreduce_hook bf16_compress_hook bf16_compress_wrapper fp16_compress_hook fp16_compress_wrapper""",
    "torch.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook": """+PostLocalSGDState post_localSGD_hook""",
    "torch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook": """+PowerSGDState batched_powerSGD_hook powerSGD_hook""",
    "torch.distributed.algorithms.ddp_comm_hooks.quantization_hooks": """quantization_perchannel_hook quantization_pertensor_hook""",
    "torch.distributed.algorithms.join": """+Join +JoinHook +Joinable""",
    "torch.distributed.algorithms.model_averaging": "",
    "torch.distributed.algorithms.model_averaging.averagers": """+ModelAverager +PeriodicModelAverager""",
    "torch.distributed.algorithms.model_averaging.hierarchical_model_averager": """+HierarchicalModelAverager""",
    "torch.distributed.algorithms.model_averaging.utils": """+ProcessGroup@torch.distributed.distributed_c10d +group@torch.distributed.distributed_c10d
average_parameters average_parameters_or_parameter_groups get_params_to_average""",
    "torch.distributed.argparse_util": """+check_env +env""",
    "torch.distributed.autograd": """+DistAutogradContext@torch._C._distributed_autograd +context backward get_gradients is_available""",
    "torch.distributed.checkpoint": """+HuggingFaceStorageReader@torch.distributed.checkpoint.hf_storage
+HuggingFaceStorageWriter@torch.distributed.checkpoint.hf_storage
+QuantizedHuggingFaceStorageReader@torch.distributed.checkpoint.quantized_hf_storage""",
    "torch.distributed.checkpoint._consolidate_hf_safetensors": """consolidate_safetensors_files""",
    "torch.distributed.checkpoint._dedup_save_plans": """dedup_save_plans""",
    "torch.distributed.checkpoint._extension": """+ExtensionRegistry +StreamTransformExtension""",
    "torch.distributed.checkpoint._pg_transport": """+PGTransport""",
    "torch.distributed.checkpoint._state_dict_stager": """+StateDictStager""",
    "torch.distributed.checkpoint._traverse": """set_element""",
    "torch.distributed.checkpoint.default_planner": """+DTensor@torch.distributed.tensor +StorageMeta@torch.distributed.checkpoint.metadata
dedup_save_plans@torch.distributed.checkpoint._dedup_save_plans
find_state_dict_object@torch.distributed.checkpoint.utils
narrow_tensor_by_index@torch.distributed._shard._utils""",
    "torch.distributed.checkpoint.filesystem": """+BlockingAsyncStager@torch.distributed.checkpoint.staging
+ExtensionRegistry@torch.distributed.checkpoint._extension +FileSystem +FileSystemBase
+Future@torch.jit +LoadPlan@torch.distributed.checkpoint.planner
+LoadPlanner@torch.distributed.checkpoint.planner +ReadItem@torch.distributed.checkpoint.planner
+SavePlan@torch.distributed.checkpoint.planner +SavePlanner@torch.distributed.checkpoint.planner
+StreamTransformExtension@torch.distributed.checkpoint._extension
+WriteItem@torch.distributed.checkpoint.planner
narrow_tensor_by_index@torch.distributed._shard._utils""",
    "torch.distributed.checkpoint.format_utils": """+DefaultLoadPlanner@torch.distributed.checkpoint.default_planner
+Future@torch.jit +LoadItemType@torch.distributed.checkpoint.planner
+LoadPlan@torch.distributed.checkpoint.planner +LoadPlanner@torch.distributed.checkpoint.planner
+Metadata@torch.distributed.checkpoint.metadata
+StorageReader@torch.distributed.checkpoint.storage
+TensorProperties@torch.distributed.checkpoint.metadata
+TensorStorageMetadata@torch.distributed.checkpoint.metadata
flatten_state_dict@torch.distributed.checkpoint._nested_dict
narrow_tensor_by_index@torch.distributed._shard._utils""",
    "torch.distributed.checkpoint.hf_storage": """+ChunkStorageMetadata@torch.distributed.checkpoint.metadata
+FileSystemReader@torch.distributed.checkpoint.filesystem
+FileSystemWriter@torch.distributed.checkpoint.filesystem +Future@torch.jit +HuggingFaceStorageReader
+HuggingFaceStorageWriter +LoadPlan@torch.distributed.checkpoint.planner
+LoadPlanner@torch.distributed.checkpoint.planner +Metadata@torch.distributed.checkpoint.metadata
+MetadataIndex@torch.distributed.checkpoint.metadata +ReadItem@torch.distributed.checkpoint.planner
+SavePlan@torch.distributed.checkpoint.planner +SavePlanner@torch.distributed.checkpoint.planner
+SerializationFormat@torch.distributed.checkpoint.filesystem
+StorageMeta@torch.distributed.checkpoint.metadata +TensorProperties@torch.distributed.checkpoint.metadata
+TensorStorageMetadata@torch.distributed.checkpoint.metadata +WriteItem@torch.distributed.checkpoint.planner
+WriteResult@torch.distributed.checkpoint.storage
consolidate_safetensors_files@torch.distributed.checkpoint._consolidate_hf_safetensors""",
    "torch.distributed.checkpoint.optimizer": """+BytesStorageMetadata@torch.distributed.checkpoint.metadata
+ChunkShardingSpec@torch.distributed._shard.sharding_spec.chunk_sharding_spec
+ChunkStorageMetadata@torch.distributed.checkpoint.metadata +DTensor@torch.distributed.tensor
+DefaultLoadPlanner@torch.distributed.checkpoint.default_planner
+LoadPlan@torch.distributed.checkpoint.planner +LoadPlanner@torch.distributed.checkpoint.planner
+Metadata@torch.distributed.checkpoint.metadata +MetadataIndex@torch.distributed.checkpoint.metadata
+Shard@torch.distributed._shard.sharded_tensor.shard +ShardTensorProperties
+ShardedTensor@torch.distributed._shard.sharded_tensor.api
+StorageReader@torch.distributed.checkpoint.storage +TensorProperties@torch.distributed.checkpoint.metadata
+TensorStorageMetadata@torch.distributed.checkpoint.metadata
create_read_items_for_chunk_list@torch.distributed.checkpoint.planner_helpers
load_state_dict@torch.distributed.checkpoint.state_dict_loader
unflatten_state_dict@torch.distributed.checkpoint._nested_dict""",
    "torch.distributed.checkpoint.planner": """+Metadata@torch.distributed.checkpoint.metadata
+StorageMeta@torch.distributed.checkpoint.metadata""",
    "torch.distributed.checkpoint.planner_helpers": """+BytesStorageMetadata@torch.distributed.checkpoint.metadata
+ChunkStorageMetadata@torch.distributed.checkpoint.metadata +DTensor@torch.distributed.tensor
+LoadItemType@torch.distributed.checkpoint.planner +MetadataIndex@torch.distributed.checkpoint.metadata
+ReadItem@torch.distributed.checkpoint.planner +SavePlan@torch.distributed.checkpoint.planner
+ShardMetadata@torch.distributed._shard.metadata +ShardedTensor@torch.distributed._shard.sharded_tensor.api
+TensorProperties@torch.distributed.checkpoint.metadata
+TensorStorageMetadata@torch.distributed.checkpoint.metadata
+TensorWriteData@torch.distributed.checkpoint.planner +WriteItem@torch.distributed.checkpoint.planner
+WriteItemType@torch.distributed.checkpoint.planner
compute_local_shape_and_global_offset@torch.distributed.tensor._utils create_read_items_for_chunk_list""",
    "torch.distributed.checkpoint.quantized_hf_storage": """+HuggingFaceStorageReader@torch.distributed.checkpoint.hf_storage
+LoadPlanner@torch.distributed.checkpoint.planner +QuantizedHuggingFaceStorageReader
+ReadItem@torch.distributed.checkpoint.planner +TensorStorageMetadata@torch.distributed.checkpoint.metadata""",
    "torch.distributed.checkpoint.resharding": """+ChunkStorageMetadata@torch.distributed.checkpoint.metadata""",
    "torch.distributed.checkpoint.staging": """+PGTransport@torch.distributed.checkpoint._pg_transport
+ProcessGroup@torch.distributed.distributed_c10d
+StateDictStager@torch.distributed.checkpoint._state_dict_stager""",
    "torch.distributed.checkpoint.state_dict": """+DTensor@torch.distributed.tensor
+FullOptimStateDictConfig@torch.distributed.fsdp.api +FullStateDictConfig@torch.distributed.fsdp.api
+OptimStateDictConfig@torch.distributed.fsdp.api +ShardedOptimStateDictConfig@torch.distributed.fsdp.api
+ShardedStateDictConfig@torch.distributed.fsdp.api
+ShardedTensor@torch.distributed._shard.sharded_tensor.api +StateDictConfig@torch.distributed.fsdp.api
+StateDictType@torch.distributed.fsdp.api""",
    "torch.distributed.checkpoint.state_dict_loader": """+LoadPlan@torch.distributed.checkpoint.planner +LoadPlanner@torch.distributed.checkpoint.planner
+StorageReader@torch.distributed.checkpoint.storage""",
    "torch.distributed.checkpoint.state_dict_saver": """+AsyncStager@torch.distributed.checkpoint.staging
+DefaultStager@torch.distributed.checkpoint.staging
+Metadata@torch.distributed.checkpoint.metadata +SavePlan@torch.distributed.checkpoint.planner
+SavePlanner@torch.distributed.checkpoint.planner
+StagingOptions@torch.distributed.checkpoint.staging
+StorageWriter@torch.distributed.checkpoint.storage
+WriteResult@torch.distributed.checkpoint.storage""",
    "torch.distributed.checkpoint.storage": """+Future@torch.jit +LoadPlan@torch.distributed.checkpoint.planner
+LoadPlanner@torch.distributed.checkpoint.planner
+Metadata@torch.distributed.checkpoint.metadata +SavePlan@torch.distributed.checkpoint.planner
+SavePlanner@torch.distributed.checkpoint.planner""",
    "torch.distributed.checkpoint.utils": """+CheckpointException@torch.distributed.checkpoint.api +MetadataIndex@torch.distributed.checkpoint.metadata
+Shard@torch.distributed._shard.sharded_tensor.shard
+ShardedTensor@torch.distributed._shard.sharded_tensor.api find_state_dict_object find_tensor_shard""",
    "torch.distributed.collective_utils": """+SyncPayload all_gather all_gather_object_enforce_type broadcast""",
    "torch.distributed.debug": """get_rank@torch.distributed.debug._store start_debug_server stop_debug_server
tcpstore_client@torch.distributed.debug._store""",
    "torch.distributed.debug._store": """get_rank tcpstore_client""",
    "torch.distributed.device_mesh": """+C10dBackend +ProcessGroup@torch.distributed.distributed_c10d
GroupName@torch.distributed.distributed_c10d get_backend@torch.distributed.distributed_c10d
get_process_group_ranks@torch.distributed.distributed_c10d get_rank@torch.distributed.distributed_c10d
get_world_size@torch.distributed.distributed_c10d init_process_group@torch.distributed.distributed_c10d
is_available@torch.distributed is_initialized@torch.distributed.distributed_c10d
new_group@torch.distributed.distributed_c10d split_group@torch.distributed.distributed_c10d""",
    "torch.distributed.distributed_c10d": """+AllToAllOptions +AllgatherOptions +AllreduceCoalescedOptions
+AllreduceOptions +Backend:str +BackendConfig +BarrierOptions +BroadcastOptions +DebugLevel
+DistStoreError@torch.distributed +GatherOptions +GroupMember +P2POp +PrefixStore +ProcessGroup +ProcessGroupGloo
+ReduceOp +ReduceOptions +ReduceScatterOptions +ScatterOptions +Store +Work +group GroupName _get_default_group
all_gather all_gather_coalesced all_gather_into_tensor all_gather_object all_gather_single all_reduce
all_reduce_coalesced all_to_all all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list
destroy_process_group gather gather_object get_backend get_backend_config get_debug_level
get_default_backend_for_device get_global_rank get_group_rank get_node_local_rank get_pg_count
get_process_group_ranks get_rank get_world_size init_process_group irecv is_backend_available is_gloo_available
is_initialized is_mpi_available is_nccl_available is_torchelastic_launched is_ucc_available is_xccl_available isend
monitored_barrier new_group new_subgroups new_subgroups_by_enumeration record_comm recv recv_object_list reduce
reduce_scatter reduce_scatter_single reduce_scatter_tensor register_rendezvous_handler@torch.distributed.rendezvous
rendezvous@torch.distributed.rendezvous scatter scatter_object_list send send_object_list shrink_group split_group
supports_complex +FileStore +HashStore +TCPStore""",
    "torch.distributed.elastic": "",
    "torch.distributed.elastic.agent": "",
    "torch.distributed.elastic.agent.server.api": """+Event@torch.distributed.elastic.events.api
+EventSource@torch.distributed.elastic.events.api get_logger@torch.distributed.elastic.utils.logging
prof@torch.distributed.elastic.metrics.api put_metric@torch.distributed.elastic.metrics.api
record@torch.distributed.elastic.events""",
    "torch.distributed.elastic.agent.server.health_check_server": """+HealthCheckServer create_healthcheck_server get_logger@torch.distributed.elastic.utils.logging""",
    "torch.distributed.elastic.agent.server.local_elastic_agent": """+HealthCheckServer@torch.distributed.elastic.agent.server.health_check_server
create_healthcheck_server@torch.distributed.elastic.agent.server.health_check_server
get_logger@torch.distributed.elastic.utils.logging
is_uninterruptible_state@torch.distributed.elastic.utils.process_state
prof@torch.distributed.elastic.metrics.api read_proc_state@torch.distributed.elastic.utils.process_state""",
    "torch.distributed.elastic.control_plane": """record@torch.distributed.elastic.multiprocessing.errors worker_main""",
    "torch.distributed.elastic.multiprocessing": """get_logger@torch.distributed.elastic.utils.logging""",
    "torch.distributed.elastic.multiprocessing.api": """
+SubprocessHandler@torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler
+TailLog@torch.distributed.elastic.multiprocessing.tail_log get_std_cm
get_subprocess_handler@torch.distributed.elastic.multiprocessing.subprocess_handler.handlers""",
    "torch.distributed.elastic.multiprocessing.errors": """get_logger@torch.distributed.elastic.utils.logging""",
    "torch.distributed.elastic.multiprocessing.errors.error_handler": "",
    "torch.distributed.elastic.multiprocessing.errors.handlers": """+ErrorHandler@torch.distributed.elastic.multiprocessing.errors.error_handler get_error_handler""",
    "torch.distributed.elastic.multiprocessing.redirects": """get_libc redirect""",
    "torch.distributed.elastic.multiprocessing.subprocess_handler": """+SubprocessHandler@torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler
get_subprocess_handler@torch.distributed.elastic.multiprocessing.subprocess_handler.handlers""",
    "torch.distributed.elastic.multiprocessing.subprocess_handler.handlers": """+SubprocessHandler@torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler
get_subprocess_handler""",
    "torch.distributed.elastic.multiprocessing.subprocess_handler.subprocess_handler": """+SubprocessHandler""",
    "torch.distributed.elastic.multiprocessing.tail_log": """+TailLog tail_logfile""",
    "torch.distributed.elastic.rendezvous.api": """+Store@torch.distributed.distributed_c10d""",
    "torch.distributed.elastic.rendezvous.c10d_rendezvous_backend": """+C10dRendezvousBackend +FileStore@torch._C._distributed_c10d +NodeState@torch.distributed.elastic.events.api
+RendezvousBackend@torch.distributed.elastic.rendezvous.dynamic_rendezvous
+RendezvousConnectionError@torch.distributed.elastic.rendezvous.api
+RendezvousError@torch.distributed.elastic.rendezvous.api
+RendezvousParameters@torch.distributed.elastic.rendezvous.api
+RendezvousStateError@torch.distributed.elastic.rendezvous.api +Store@torch.distributed.distributed_c10d
+TCPStore@torch._C._distributed_c10d construct_and_record_rdzv_event@torch.distributed.elastic.events
create_backend parse_rendezvous_endpoint@torch.distributed.elastic.rendezvous.utils""",
    "torch.distributed.elastic.rendezvous.dynamic_rendezvous": """+DynamicRendezvousHandler +NodeState@torch.distributed.elastic.events.api +RendezvousBackend
+RendezvousClosedError@torch.distributed.elastic.rendezvous.api
+RendezvousError@torch.distributed.elastic.rendezvous.api
+RendezvousGracefulExitError@torch.distributed.elastic.rendezvous.api
+RendezvousHandler@torch.distributed.elastic.rendezvous.api
+RendezvousInfo@torch.distributed.elastic.rendezvous.api
+RendezvousParameters@torch.distributed.elastic.rendezvous.api +RendezvousSettings
+RendezvousStateError@torch.distributed.elastic.rendezvous.api
+RendezvousStoreInfo@torch.distributed.elastic.rendezvous.api +RendezvousTimeout
+RendezvousTimeoutError@torch.distributed.elastic.rendezvous.api +Store@torch.distributed.distributed_c10d
construct_and_record_rdzv_event@torch.distributed.elastic.events create_handler get_method_name""",
    "torch.distributed.elastic.rendezvous.etcd_rendezvous": """+EtcdRendezvous +EtcdRendezvousHandler +EtcdRendezvousRetryImmediately:Exception
+EtcdRendezvousRetryableFailure:Exception +EtcdStore@torch.distributed.elastic.rendezvous.etcd_store
+RendezvousClosedError@torch.distributed.elastic.rendezvous.api
+RendezvousError@torch.distributed.elastic.rendezvous.api
+RendezvousHandler@torch.distributed.elastic.rendezvous.api
+RendezvousInfo@torch.distributed.elastic.rendezvous.api
+RendezvousParameters@torch.distributed.elastic.rendezvous.api
+RendezvousStoreInfo@torch.distributed.elastic.rendezvous.api
+RendezvousTimeoutError@torch.distributed.elastic.rendezvous.api
cas_delay@torch.distributed.elastic.rendezvous.etcd_store create_rdzv_handler
parse_rendezvous_endpoint@torch.distributed.elastic.rendezvous.utils""",
    "torch.distributed.elastic.rendezvous.etcd_rendezvous_backend": """+EtcdRendezvousBackend +EtcdStore@torch.distributed.elastic.rendezvous.etcd_store
+RendezvousBackend@torch.distributed.elastic.rendezvous.dynamic_rendezvous
+RendezvousConnectionError@torch.distributed.elastic.rendezvous.api
+RendezvousParameters@torch.distributed.elastic.rendezvous.api
+RendezvousStateError@torch.distributed.elastic.rendezvous.api +Store@torch.distributed.distributed_c10d
create_backend parse_rendezvous_endpoint@torch.distributed.elastic.rendezvous.utils""",
    "torch.distributed.elastic.rendezvous.etcd_server": """+EtcdServer find_free_port stop_etcd""",
    "torch.distributed.elastic.rendezvous.etcd_store": """+EtcdStore +Store@torch.distributed.distributed_c10d cas_delay""",
    "torch.distributed.elastic.rendezvous.registry": """create_handler@torch.distributed.elastic.rendezvous.dynamic_rendezvous""",
    "torch.distributed.elastic.rendezvous.static_tcp_rendezvous": """+PrefixStore@torch.distributed.distributed_c10d
+Store@torch.distributed.distributed_c10d +TCPStore@torch._C._distributed_c10d""",
    "torch.distributed.elastic.timer.debug_info_logging": """get_logger@torch.distributed.elastic.utils.logging log_debug_info_for_expired_timers""",
    "torch.distributed.elastic.timer.file_based_local_timer": """get_logger@torch.distributed.elastic.utils.logging
log_debug_info_for_expired_timers@torch.distributed.elastic.timer.debug_info_logging""",
    "torch.distributed.elastic.utils.distributed": """barrier@torch.distributed.elastic.utils.store
get_logger@torch.distributed.elastic.utils.logging""",
    "torch.distributed.elastic.utils.store": """+DistStoreError@torch.distributed""",
    "torch.distributed.flight_recorder": "",
    "torch.distributed.flight_recorder.components": "",
    "torch.distributed.flight_recorder.components.builder": """+Collective@torch.distributed.flight_recorder.components.types
+Database@torch.distributed.flight_recorder.components.types
+EntryState@torch.distributed.flight_recorder.components.types
+FlightRecorderLogger@torch.distributed.flight_recorder.components.fr_logger
+Group@torch.distributed.flight_recorder.components.types
+MatchStateRecord@torch.distributed.flight_recorder.components.types
+Membership@torch.distributed.flight_recorder.components.types
+NCCLCall@torch.distributed.flight_recorder.components.types
+Op@torch.distributed.flight_recorder.components.types
+Traceback@torch.distributed.flight_recorder.components.types
add_stack_id_in_entries@torch.distributed.flight_recorder.components.utils
align_trace_from_beginning@torch.distributed.flight_recorder.components.utils build_collectives build_db
build_groups_memberships check_current_entry_match@torch.distributed.flight_recorder.components.utils
check_no_missing_dump_files@torch.distributed.flight_recorder.components.utils
check_version@torch.distributed.flight_recorder.components.utils
error_analysis@torch.distributed.flight_recorder.components.utils find_coalesced_group_p2p_only
find_coalesced_group_with_non_p2p@torch.distributed.flight_recorder.components.utils
get_version_detail@torch.distributed.flight_recorder.components.utils
just_print_entries@torch.distributed.flight_recorder.components.utils match_coalesced_groups_p2p_only
match_coalesced_groups_with_non_p2p@torch.distributed.flight_recorder.components.utils transform_ft""",
    "torch.distributed.flight_recorder.components.config_manager": """+FlightRecorderLogger@torch.distributed.flight_recorder.components.fr_logger +JobConfig""",
    "torch.distributed.flight_recorder.components.fr_logger": """+FlightRecorderLogger""",
    "torch.distributed.flight_recorder.components.loader": """+FlightRecorderLogger@torch.distributed.flight_recorder.components.fr_logger read_dir read_dump""",
    "torch.distributed.flight_recorder.components.types": """+Collective:tuple +Database:tuple +EntryState
+FlightRecorderLogger@torch.distributed.flight_recorder.components.fr_logger +Group:tuple +MatchInfo
+MatchStateRecord
+MatchState{FULLY_MATCHED=1,COLLECTIVE_TYPE_MISMATCH=2,SIZE_OR_SYNTAX_MISMATCH=3,COLLECTIVE_STATE_MISMATCH=4,COLLECTIVE_DTYPE_MISMATCH=5,UNDECIDED=6}
+Membership:tuple +NCCLCall:tuple +Op +Ref +Traceback:tuple +TypeInfo:tuple""",
    "torch.distributed.flight_recorder.components.utils": """+Collective@torch.distributed.flight_recorder.components.types
+EntryState@torch.distributed.flight_recorder.components.types
+FlightRecorderLogger@torch.distributed.flight_recorder.components.fr_logger
+Group@torch.distributed.flight_recorder.components.types
+MatchInfo@torch.distributed.flight_recorder.components.types
+MatchState@torch.distributed.flight_recorder.components.types
+MatchStateRecord@torch.distributed.flight_recorder.components.types
+Membership@torch.distributed.flight_recorder.components.types
+Op@torch.distributed.flight_recorder.components.types add_stack_id_in_entries align_trace_from_beginning
check_current_entry_match check_no_missing_dump_files check_size_alltoall check_version error_analysis
find_coalesced_group find_coalesced_group_with_non_p2p format_frame format_frames get_version_detail
just_print_entries match_coalesced_groups match_coalesced_groups_with_non_p2p match_one_event""",
    "torch.distributed.flight_recorder.fr_trace": """+JobConfig@torch.distributed.flight_recorder.components.config_manager
build_db@torch.distributed.flight_recorder.components.builder main
read_dir@torch.distributed.flight_recorder.components.loader
transform_ft@torch.distributed.flight_recorder.components.builder""",
    "torch.distributed.fsdp": """+FlatParameter@torch.distributed.fsdp._flat_param""",
    "torch.distributed.fsdp._common_utils": """+HandleTrainingState{IDLE=1,FORWARD=2,BACKWARD_PRE=3,BACKWARD_POST=4,SUMMON_FULL_PARAMS=5}
+TrainingState{IDLE=1,FORWARD_BACKWARD=2,SUMMON_FULL_PARAMS=3}""",
    "torch.distributed.fsdp._flat_param": """+FlatParamHandle +FlatParameter:Tensor""",
    "torch.distributed.fsdp._fsdp_extensions": """+FSDPExtensions""",
    "torch.distributed.fsdp.fully_sharded_data_parallel": """+ActivationWrapper@torch.distributed.algorithms._checkpoint.checkpoint_wrapper
+CustomPolicy@torch.distributed.fsdp.wrap +DeviceMesh@torch.distributed.device_mesh
+FlatParamHandle@torch.distributed.fsdp._flat_param +FlatParameter@torch.distributed.fsdp._flat_param
+HandleTrainingState@torch.distributed.fsdp._common_utils
+ModuleWrapPolicy@torch.distributed.fsdp.wrap
+TrainingState@torch.distributed.fsdp._common_utils""",
    "torch.distributed.fsdp.sharded_grad_scaler": """+ProcessGroup@torch.distributed.distributed_c10d""",
    "torch.distributed.launch": "",
    "torch.distributed.launcher": "",
    "torch.distributed.launcher.api": """+ChildFailedError@torch.distributed.elastic.multiprocessing.errors
+HealthCheckServer@torch.distributed.elastic.agent.server.health_check_server
+LocalElasticAgent@torch.distributed.elastic.agent.server.local_elastic_agent
+RendezvousParameters@torch.distributed.elastic.rendezvous.api
+SignalException@torch.distributed.elastic.multiprocessing.api +WorkerSpec@torch.distributed.elastic.agent.server.api
create_healthcheck_server@torch.distributed.elastic.agent.server.health_check_server
get_logger@torch.distributed.elastic.utils.logging
parse_rendezvous_endpoint@torch.distributed.elastic.rendezvous.utils""",
    "torch.distributed.nn": """+ReduceOp@torch.distributed.distributed_c10d +RemoteModule@torch.distributed.nn.api.remote_module
+group@torch.distributed.distributed_c10d""",
    "torch.distributed.nn.api": "",
    "torch.distributed.nn.api.remote_module": """+RemoteModule:Module""",
    "torch.distributed.nn.functional": """+group@torch.distributed.distributed_c10d""",
    "torch.distributed.nn.jit": "",
    "torch.distributed.nn.jit.instantiator": """get_arg_return_types_from_interface
get_remote_module_template@torch.distributed.nn.jit.templates.remote_module_template
instantiate_non_scriptable_remote_module_template instantiate_scriptable_remote_module_template""",
    "torch.distributed.nn.jit.templates": "",
    "torch.distributed.nn.jit.templates.remote_module_template": """get_remote_module_template""",
    "torch.distributed.optim": """+DistributedOptimizer@torch.distributed.optim.optimizer
+PostLocalSGDOptimizer@torch.distributed.optim.post_localSGD_optimizer
+ZeroRedundancyOptimizer@torch.distributed.optim.zero_redundancy_optimizer
as_functional_optim@torch.distributed.optim.utils""",
    "torch.distributed.optim.named_optimizer": """+FSDP:Module +ShardedTensor@torch.distributed._shard.sharded_tensor.api""",
    "torch.distributed.optim.optimizer": """+DistributedOptimizer +RRef@torch.distributed.rpc.api""",
    "torch.distributed.optim.post_localSGD_optimizer": """+PostLocalSGDOptimizer:Optimizer""",
    "torch.distributed.optim.utils": """as_functional_optim register_functional_optim""",
    "torch.distributed.optim.zero_redundancy_optimizer": """+Join@torch.distributed.algorithms.join +JoinHook@torch.distributed.algorithms.join
+Joinable@torch.distributed.algorithms.join +ZeroRedundancyOptimizer:Optimizer""",
    "torch.distributed.pipelining": """+Pipe@torch.distributed.pipelining._IR +PipelineStage@torch.distributed.pipelining.stage
+Schedule1F1B@torch.distributed.pipelining.schedules
+ScheduleDualPipeV@torch.distributed.pipelining.schedules
+ScheduleGPipe@torch.distributed.pipelining.schedules
+ScheduleInterleaved1F1B@torch.distributed.pipelining.schedules
+ScheduleInterleavedZeroBubble@torch.distributed.pipelining.schedules
+ScheduleLoopedBFS@torch.distributed.pipelining.schedules
+ScheduleZBVZeroBubble@torch.distributed.pipelining.schedules +SplitPoint@torch.distributed.pipelining._IR
build_stage@torch.distributed.pipelining.stage pipe_split@torch.distributed.pipelining._IR
pipeline@torch.distributed.pipelining._IR""",
    "torch.distributed.pipelining._IR": """+Pipe:Module +SplitPoint{BEGINNING=1,END=2} pipe_split pipeline""",
    "torch.distributed.pipelining._backward": """stage_backward stage_backward_input stage_backward_weight""",
    "torch.distributed.pipelining._debug": """map_debug_info""",
    "torch.distributed.pipelining._utils": """+GetMeshCallback +InferenceMode +PipeInfo +PipeliningMetadataError:RuntimeError extract_tensor_meta
extract_tensor_metas flatten_args generate_rank_to_stage_mapping generate_stage_to_rank_mapping
to_local_if_dtensor validate_and_normalize_to_tuple validate_static_arg_grad_correspondence
validate_tensors_metadata""",
    "torch.distributed.pipelining.microbatch": """+DTensor@torch.distributed.tensor +TensorChunkSpec merge_chunks split_args_kwargs_into_chunks""",
    "torch.distributed.pipelining.schedules": """+FSDPModule@torch.distributed.fsdp +InferenceMode@torch.distributed.pipelining._utils
+OptimizedModule@torch._dynamo.eval_frame +PipelineScheduleMulti +PipelineScheduleSingle
+PipelineStage@torch.distributed.pipelining.stage +Schedule1F1B +ScheduleDualPipeV +ScheduleGPipe
+ScheduleInterleaved1F1B +ScheduleInterleavedZeroBubble +ScheduleLoopedBFS +ScheduleZBVZeroBubble
+TensorChunkSpec@torch.distributed.pipelining.microbatch +UnshardHandle@torch.distributed.fsdp
generate_rank_to_stage_mapping@torch.distributed.pipelining._utils
generate_stage_to_rank_mapping@torch.distributed.pipelining._utils get_schedule_class
merge_chunks@torch.distributed.pipelining.microbatch
split_args_kwargs_into_chunks@torch.distributed.pipelining.microbatch""",
    "torch.distributed.pipelining.stage": """+DTensor@torch.distributed.tensor +DistributedDataParallel@torch.nn.parallel.distributed
+FSDPModule@torch.distributed.fsdp +FakeTensor@torch._subclasses.fake_tensor
+GetMeshCallback@torch.distributed.pipelining._utils +InferenceMode@torch.distributed.pipelining._utils
+PipeInfo@torch.distributed.pipelining._utils +PipelineStage
+PipeliningMetadataError@torch.distributed.pipelining._utils
+ReplicateModule@torch.distributed._composable.replicate_with_fsdp build_stage
extract_tensor_meta@torch.distributed.pipelining._utils
extract_tensor_metas@torch.distributed.pipelining._utils flatten_args@torch.distributed.pipelining._utils
fully_shard@torch.distributed.fsdp map_debug_info@torch.distributed.pipelining._debug
replicate@torch.distributed._composable.replicate_with_fsdp
stage_backward@torch.distributed.pipelining._backward
stage_backward_input@torch.distributed.pipelining._backward
stage_backward_weight@torch.distributed.pipelining._backward
to_local_if_dtensor@torch.distributed.pipelining._utils
validate_and_normalize_to_tuple@torch.distributed.pipelining._utils
validate_static_arg_grad_correspondence@torch.distributed.pipelining._utils
validate_tensors_metadata@torch.distributed.pipelining._utils""",
    "torch.distributed.rendezvous": """+FileStore@torch._C._distributed_c10d +Store@torch.distributed.distributed_c10d
+TCPStore@torch._C._distributed_c10d register_rendezvous_handler rendezvous""",
    "torch.distributed.rpc": """+AllGatherStates@torch.distributed.rpc.api +BackendType@torch.distributed.rpc.backend_registry
+PyRRef@torch._C._distributed_rpc +RRef@torch.distributed.rpc.api
+RemoteProfilerManager@torch._C._distributed_rpc +RpcAgent@torch._C._distributed_rpc
+RpcBackendOptions@torch._C._distributed_rpc +Store@torch.distributed.distributed_c10d
+TensorPipeAgent@torch._C._distributed_rpc +TensorPipeRpcBackendOptions@torch.distributed.rpc.options
+WorkerInfo@torch._C._distributed_rpc enable_gil_profiling get_rpc_timeout
get_worker_info@torch.distributed.rpc.api init_rpc is_available method_factory@torch.distributed.rpc.api
new_method remote@torch.distributed.rpc.api rpc_async@torch.distributed.rpc.api
rpc_sync@torch.distributed.rpc.api shutdown@torch.distributed.rpc.api""",
    "torch.distributed.rpc.api": """+AllGatherStates +Future@torch.jit +PyRRef@torch._C._distributed_rpc
+PythonUDF@torch.distributed.rpc.internal +RPCExecMode@torch.distributed.rpc.internal +RRef
+RemoteProfilerManager@torch._C._distributed_rpc +WorkerInfo@torch._C._distributed_rpc _all_gather
_require_initialized get_rpc_timeout get_worker_info method method_factory new_method remote rpc_async
rpc_sync shutdown""",
    "torch.distributed.rpc.backend_registry": """+BackendType +BackendValue:tuple backend_registered construct_rpc_backend_options init_backend
register_backend""",
    "torch.distributed.rpc.functions": """async_execution""",
    "torch.distributed.rpc.internal": """+PythonUDF:tuple +RPCExecMode +RemoteException:tuple deserialize serialize""",
    "torch.distributed.rpc.options": """+TensorPipeRpcBackendOptions""",
    "torch.distributed.rpc.rref_proxy": """+Future@torch.jit +RRefProxy rpc_async@torch.distributed.rpc.api""",
    "torch.distributed.run": """+LogsSpecs@torch.distributed.elastic.multiprocessing.api
+check_env@torch.distributed.argparse_util +elastic_launch@torch.distributed.launcher.api
+env@torch.distributed.argparse_util +macros@torch.distributed.elastic.utils.api
get_logger@torch.distributed.elastic.utils.logging get_rdzv_endpoint get_use_env
record@torch.distributed.elastic.multiprocessing.errors run_script_path""",
    "torch.distributed.tensor._collective_utils": """fill_empty_tensor_to_shards mesh_broadcast mesh_scatter pad_tensor shard_dim_alltoall unpad_tensor""",
    "torch.distributed.tensor._ops": "",
    "torch.distributed.tensor._ops._mask_buffer": """+MaskBuffer""",
    "torch.distributed.tensor._ops._math_ops": """+Reduction{NONE=0,MEAN=1,SUM=2} replicate_reduction_dims""",
    "torch.distributed.tensor._ops.utils": """normalize_dim""",
    "torch.distributed.tensor.debug": """+CommDebugMode visualize_sharding""",
    "torch.distributed.tensor.experimental": """+DTensor@torch.distributed.tensor context_parallel implicit_replication local_map register_sharding""",
    "torch.distributed.tensor.experimental._attention": """set_rotate_method@torch.distributed.tensor.experimental._context_parallel._attention""",
    "torch.distributed.tensor.experimental._context_parallel": "",
    "torch.distributed.tensor.experimental._context_parallel._attention": """set_rotate_method""",
    "torch.distributed.tensor.parallel.api": """+DeviceMesh@torch.distributed.device_mesh""",
    "torch.distributed.tensor.parallel.fsdp": """+ChunkShardingSpec@torch.distributed._shard.sharding_spec.chunk_sharding_spec +DShard
+DTensor@torch.distributed.tensor +DTensorExtensions +DeviceMesh@torch.distributed.device_mesh
+FSDPExtensions@torch.distributed.fsdp._fsdp_extensions +Replicate@torch.distributed.tensor.placement_types
+Shard@torch.distributed._shard.sharded_tensor.shard +ShardMetadata@torch.distributed._shard.metadata
+ShardedTensor@torch.distributed._shard.sharded_tensor.api
+ShardedTensorMetadata@torch.distributed._shard.sharded_tensor.metadata
+TensorProperties@torch.distributed._shard.sharded_tensor.metadata""",
    "torch.distributed.tensor.parallel.input_reshard": """+DTensor@torch.distributed.tensor +DeviceMesh@torch.distributed.device_mesh
+Replicate@torch.distributed.tensor.placement_types +Shard@torch.distributed.tensor.placement_types
input_reshard""",
    "torch.distributed.tensor.parallel.loss": """+DTensor@torch.distributed.tensor
+DTensorSpec@torch.distributed.tensor._dtensor_spec +DeviceMesh@torch.distributed.device_mesh
+Partial@torch.distributed.tensor.placement_types +Placement@torch.distributed.tensor.placement_types
+Reduction@torch.distributed.tensor._ops._math_ops +Replicate@torch.distributed.tensor.placement_types
+Shard@torch.distributed.tensor.placement_types +TensorMeta@torch.distributed.tensor._dtensor_spec
normalize_dim@torch.distributed.tensor._ops.utils replicate_reduction_dims@torch.distributed.tensor._ops._math_ops""",
    "torch.distributed.tensor.parallel.style": """+DeviceMesh@torch.distributed.device_mesh
+Placement@torch.distributed.tensor.placement_types""",
    "torch.distributed.tensor.placement_types": """+DeviceMesh@torch.distributed.device_mesh
+MaskBuffer@torch.distributed.tensor._ops._mask_buffer
fill_empty_tensor_to_shards@torch.distributed.tensor._collective_utils
maybe_run_for_local_tensor@torch.distributed._local_tensor mesh_broadcast@torch.distributed.tensor._collective_utils
mesh_scatter@torch.distributed.tensor._collective_utils pad_tensor@torch.distributed.tensor._collective_utils
shard_dim_alltoall@torch.distributed.tensor._collective_utils unpad_tensor@torch.distributed.tensor._collective_utils""",
    "torch.distributed.utils": """_sync_module_states""",
    "torch.export": """+AdditionalInputs@torch.export.dynamic_shapes +CustomDecompTable@torch.export.decomp_utils
+Dim@torch.export.dynamic_shapes +ExportBackwardSignature@torch.export.graph_signature
+ExportGraphSignature@torch.export.graph_signature +ExportedProgram@torch.export.exported_program
+FlatArgsAdapter@torch.export.unflatten +ModuleCallEntry@torch.export.exported_program
+ModuleCallSignature@torch.export.exported_program +ShapesCollection@torch.export.dynamic_shapes
+UnflattenedModule@torch.export.unflatten default_decompositions@torch.export.exported_program
dims@torch.export.dynamic_shapes draft_export export load register_dataclass save
unflatten@torch.export.unflatten""",
    "torch.export._tree_utils": """is_equivalent reorder_kwargs""",
    "torch.export.custom_obj": """+ScriptObjectMeta""",
    "torch.export.decomp_utils": """+CustomDecompTable:dict""",
    "torch.export.dynamic_shapes": """+AdditionalInputs +Dim +ExportedProgram@torch.export.exported_program +ShapesCollection dims
refine_dynamic_shapes_from_suggested_fixes""",
    "torch.export.exported_program": """+ConstantArgument@torch.export.graph_signature +CustomDecompTable@torch.export.decomp_utils
+CustomObjArgument@torch.export.graph_signature +ExportGraphSignature@torch.export.graph_signature
+ExportedProgram +FakeTensorMode@torch._subclasses.fake_tensor +InputKind@torch.export.graph_signature
+InputSpec@torch.export.graph_signature +ModuleCallEntry +ModuleCallSignature
+OutputKind@torch.export.graph_signature +OutputSpec@torch.export.graph_signature
+SymBoolArgument@torch.export.graph_signature +SymFloatArgument@torch.export.graph_signature
+SymIntArgument@torch.export.graph_signature +TensorArgument@torch.export.graph_signature
+TokenArgument@torch.export.graph_signature autograd_not_implemented@torch._higher_order_ops.utils
default_decompositions is_equivalent@torch.export._tree_utils register_op_impl@torch._subclasses.fake_impls
reorder_kwargs@torch.export._tree_utils unset_fake_temporarily@torch._subclasses.fake_tensor""",
    "torch.export.graph_signature": """+ConstantArgument +CustomObjArgument +ExportBackwardSignature +ExportGraphSignature
+InputKind{USER_INPUT=1,PARAMETER=2,BUFFER=3,CONSTANT_TENSOR=4,CUSTOM_OBJ=5,TOKEN=6} +InputSpec
+OutputKind{USER_OUTPUT=1,LOSS_OUTPUT=2,BUFFER_MUTATION=3,PARAMETER_MUTATION=4,GRADIENT_TO_PARAMETER=5,GRADIENT_TO_USER_INPUT=6,USER_INPUT_MUTATION=7,TOKEN=8}
+OutputSpec +SymBoolArgument +SymFloatArgument +SymIntArgument +TensorArgument +TokenArgument
is_fake@torch._subclasses.fake_tensor""",
    "torch.export.passes": """+ExportedProgram@torch.export.exported_program move_to_device_pass""",
    "torch.export.pt2_archive": """+PT2ArchiveReader +PT2ArchiveWriter is_pt2_package""",
    "torch.export.unflatten": """+ConstantArgument@torch.export.graph_signature +ExportGraphSignature@torch.export.graph_signature
+ExportedProgram@torch.export.exported_program +FlatArgsAdapter +InputKind@torch.export.graph_signature
+InterpreterModule:Module +InterpreterModuleDispatcher:Module
+ModuleCallSignature@torch.export.exported_program +SymBoolArgument@torch.export.graph_signature
+SymFloatArgument@torch.export.graph_signature +SymIntArgument@torch.export.graph_signature
+TensorArgument@torch.export.graph_signature +UnflattenedModule:Module
reorder_kwargs@torch.export._tree_utils unflatten""",
    "torch.func": """debug_unwrap functional_call functionalize grad grad_and_value hessian jacfwd jacrev jvp linearize rearrange
replace_all_batch_norm_modules_ stack_module_state vjp vmap""",
    "torch.fx.experimental": "",
    "torch.fx.experimental._backward_state": """+BackwardState""",
    "torch.fx.experimental._config": """+AggressiveGuardFreeMode{DISABLED=0,VALUE_RANGE_ANALYSIS=1,SKIP_RANGE_ANALYSIS=2}""",
    "torch.fx.experimental.accelerator_partitioner": """+DAG +DAGNode +Device@torch.fx.experimental.partitioner_utils
+NodeLatency@torch.fx.experimental.partitioner_utils +Partition@torch.fx.experimental.partitioner_utils
+PartitionMode@torch.fx.experimental.partitioner_utils +PartitionResult:tuple +Partitioner
+PartitionerConfig@torch.fx.experimental.partitioner_utils check_dependency combine_two_partitions
get_bfs_level_partition get_device_partition_stats get_device_to_partitions_mapping
get_extra_size_of@torch.fx.experimental.partitioner_utils
get_latency_of_partitioned_graph@torch.fx.experimental.partitioner_utils get_logical_id_to_device
get_node_to_partition_mapping get_partition_to_latency_mapping@torch.fx.experimental.partitioner_utils
reorganize_partitions reset_partition_device set_parents_and_children""",
    "torch.fx.experimental.const_fold": """+FoldedGraphModule:Module get_unique_attr_name_in_module split_const_subgraphs""",
    "torch.fx.experimental.debug": """set_trace""",
    "torch.fx.experimental.dynamic_spec": """+DictSpec +IntVar +ObjectSpec +ParamsSpec +SeqSpec +ShapeVar +ShapesSpec +TensorSpec""",
    "torch.fx.experimental.graph_gradual_typechecker": """+Equality@torch.fx.experimental.refinement_types +GraphTypeChecker +Refine
+Var@torch.fx.experimental.unification.variable adaptiveavgpool2d_check adaptiveavgpool2d_inference_rule
add_inference_rule all_eq bn2d_inference_rule broadcast_types calculate_out_dimension conv2d_inference_rule
conv_refinement_rule conv_rule element_wise_eq expand_to_tensor_dim first_two_eq flatten_check
flatten_inference_rule flatten_refinement_rule get_attr_inference_rule get_greatest_upper_bound
get_parameter linear_check linear_inference_rule linear_refinement_rule maxpool2d_check
maxpool2d_inference_rule register_algebraic_expressions_inference_rule register_inference_rule
register_refinement_rule relu_inference_rule reshape_inference_rule transpose_inference_rule""",
    "torch.fx.experimental.merge_matmul": """are_nodes_independent may_depend_on merge_matmul split_result_tensors""",
    "torch.fx.experimental.meta_tracer": """+MetaAttribute +MetaDeviceAttribute +MetaProxy +MetaTracer embedding_override functional_relu_override
gen_constructor_wrapper nn_layernorm_override proxys_to_metas symbolic_trace torch_abs_override
torch_nn_relu_override torch_relu_override torch_where_override""",
    "torch.fx.experimental.migrate_gradual_types": "",
    "torch.fx.experimental.migrate_gradual_types.constraint": """+ApplyBroadcasting +BVar +BinConstraintD +BinConstraintT +BinaryConstraint +CalcConv +CalcMaxPool
+CalcProduct +CanReshape +Conj +Constraint +DGreatestUpperBound +DVar +Disj +F +GetItem +GetItemTensor
+IndexSelect +Prod +T +TGreatestUpperBound +TVar +Transpose is_algebraic_expression is_bool_expr is_dim""",
    "torch.fx.experimental.migrate_gradual_types.constraint_generator": """+ApplyBroadcasting@torch.fx.experimental.migrate_gradual_types.constraint
+BVar@torch.fx.experimental.migrate_gradual_types.constraint
+BinConstraintD@torch.fx.experimental.migrate_gradual_types.constraint
+BinConstraintT@torch.fx.experimental.migrate_gradual_types.constraint
+CalcConv@torch.fx.experimental.migrate_gradual_types.constraint
+CalcMaxPool@torch.fx.experimental.migrate_gradual_types.constraint
+CalcProduct@torch.fx.experimental.migrate_gradual_types.constraint
+CanReshape@torch.fx.experimental.migrate_gradual_types.constraint
+Conj@torch.fx.experimental.migrate_gradual_types.constraint
+Constraint@torch.fx.experimental.migrate_gradual_types.constraint +ConstraintGenerator
+DGreatestUpperBound@torch.fx.experimental.migrate_gradual_types.constraint
+DVar@torch.fx.experimental.migrate_gradual_types.constraint
+Disj@torch.fx.experimental.migrate_gradual_types.constraint
+F@torch.fx.experimental.migrate_gradual_types.constraint
+GetItem@torch.fx.experimental.migrate_gradual_types.constraint
+GetItemTensor@torch.fx.experimental.migrate_gradual_types.constraint
+IndexSelect@torch.fx.experimental.migrate_gradual_types.constraint
+T@torch.fx.experimental.migrate_gradual_types.constraint
+TGreatestUpperBound@torch.fx.experimental.migrate_gradual_types.constraint
+TVar@torch.fx.experimental.migrate_gradual_types.constraint
+Transpose@torch.fx.experimental.migrate_gradual_types.constraint adaptive_inference_rule
add_layer_norm_constraints add_linear_constraints arange_inference_rule assert_inference_rule
batchnorm_inference_rule bmm_inference_rule broadcasting_inference_rule conv2d_inference_rule
cumsum_inference_rule embedding_inference_rule embedding_inference_rule_functional eq_inference_rule
equality_inference_rule expand_inference_rule flatten_inference_rule full_inference_rule
gen_broadcasting_constraints gen_bvar@torch.fx.experimental.migrate_gradual_types.util
gen_dvar@torch.fx.experimental.migrate_gradual_types.util gen_embedding_rules gen_layer_norm_constraints
gen_nat_constraints@torch.fx.experimental.migrate_gradual_types.util
gen_tensor_dims@torch.fx.experimental.migrate_gradual_types.util
gen_tvar@torch.fx.experimental.migrate_gradual_types.util generate_flatten_constraints
get_attr_inference_rule getitem_inference_rule gt_inference_rule index_select_inference_rule
layer_norm_functional layer_norm_inference_rule linear_constraints linear_inference_rule lt_inference_rule
masked_fill_inference_rule maxpool_inference_rule neq_inference_rule range_check register_inference_rule
relu_inference_rule reshape_inference_rule size_inference_rule tensor_inference_rule
torch_dim_inference_rule torch_linear_inference_rule transpose_inference_rule type_inference_rule
view_inference_rule""",
    "torch.fx.experimental.migrate_gradual_types.constraint_transformation": """+ApplyBroadcasting@torch.fx.experimental.migrate_gradual_types.constraint
+BinConstraintD@torch.fx.experimental.migrate_gradual_types.constraint
+BinConstraintT@torch.fx.experimental.migrate_gradual_types.constraint
+CalcConv@torch.fx.experimental.migrate_gradual_types.constraint
+CalcMaxPool@torch.fx.experimental.migrate_gradual_types.constraint
+CalcProduct@torch.fx.experimental.migrate_gradual_types.constraint
+CanReshape@torch.fx.experimental.migrate_gradual_types.constraint
+Conj@torch.fx.experimental.migrate_gradual_types.constraint
+Constraint@torch.fx.experimental.migrate_gradual_types.constraint
+DGreatestUpperBound@torch.fx.experimental.migrate_gradual_types.constraint
+DVar@torch.fx.experimental.migrate_gradual_types.constraint
+Disj@torch.fx.experimental.migrate_gradual_types.constraint
+F@torch.fx.experimental.migrate_gradual_types.constraint
+GetItem@torch.fx.experimental.migrate_gradual_types.constraint
+GetItemTensor@torch.fx.experimental.migrate_gradual_types.constraint
+IndexSelect@torch.fx.experimental.migrate_gradual_types.constraint
+Prod@torch.fx.experimental.migrate_gradual_types.constraint
+T@torch.fx.experimental.migrate_gradual_types.constraint
+TGreatestUpperBound@torch.fx.experimental.migrate_gradual_types.constraint
+TVar@torch.fx.experimental.migrate_gradual_types.constraint
+Transpose@torch.fx.experimental.migrate_gradual_types.constraint apply_padding broadcast_dim
calc_last_two_dims create_equality_constraints_for_broadcasting gen_all_reshape_possibilities
gen_broadcasting_constraints gen_consistency_constraints
gen_dvar@torch.fx.experimental.migrate_gradual_types.util gen_greatest_upper_bound gen_lists_of_dims
gen_nat_constraints@torch.fx.experimental.migrate_gradual_types.util
gen_tensor_dims@torch.fx.experimental.migrate_gradual_types.util
generate_all_broadcasting_possibilities_no_padding generate_all_int_dyn_dim_possibilities
generate_binconstraint_d generate_binconstraint_t generate_broadcasting generate_calc_conv
generate_calc_maxpool generate_calc_product generate_conj generate_d_gub generate_disj generate_gub
generate_reshape is_dim_div_by_target is_target_div_by_dim no_broadcast_dim_with_index
register_transformation_rule transform_constraint transform_get_item transform_get_item_tensor
transform_index_select transform_transpose valid_index valid_index_tensor""",
    "torch.fx.experimental.migrate_gradual_types.transform_to_z3": """+BVar@torch.fx.experimental.migrate_gradual_types.constraint
+BinConstraintD@torch.fx.experimental.migrate_gradual_types.constraint
+BinConstraintT@torch.fx.experimental.migrate_gradual_types.constraint
+Conj@torch.fx.experimental.migrate_gradual_types.constraint
+Constraint@torch.fx.experimental.migrate_gradual_types.constraint
+ConstraintGenerator@torch.fx.experimental.migrate_gradual_types.constraint_generator
+DVar@torch.fx.experimental.migrate_gradual_types.constraint
+Disj@torch.fx.experimental.migrate_gradual_types.constraint
+F@torch.fx.experimental.migrate_gradual_types.constraint
+Prod@torch.fx.experimental.migrate_gradual_types.constraint
+T@torch.fx.experimental.migrate_gradual_types.constraint
+TVar@torch.fx.experimental.migrate_gradual_types.constraint
is_algebraic_expression@torch.fx.experimental.migrate_gradual_types.constraint
is_bool_expr@torch.fx.experimental.migrate_gradual_types.constraint
is_dim@torch.fx.experimental.migrate_gradual_types.constraint
transform_constraint@torch.fx.experimental.migrate_gradual_types.constraint_transformation""",
    "torch.fx.experimental.migrate_gradual_types.util": """+BVar@torch.fx.experimental.migrate_gradual_types.constraint
+BinConstraintD@torch.fx.experimental.migrate_gradual_types.constraint
+DVar@torch.fx.experimental.migrate_gradual_types.constraint
+TVar@torch.fx.experimental.migrate_gradual_types.constraint gen_bvar gen_dvar gen_nat_constraints
gen_tensor_dims gen_tvar""",
    "torch.fx.experimental.normalize": """+AnnotateTypesWithSchema@torch.fx.experimental.schema_type_annotation +NormalizeArgs +NormalizeOperators""",
    "torch.fx.experimental.optimization": """+MklSubgraph +UnionFind extract_subgraph fuse gen_mkl_autotuner matches_module_pattern modules_to_mkldnn
optimize_for_inference remove_dropout replace_node_module reset_modules use_mkl_length""",
    "torch.fx.experimental.partitioner_utils": """+Device:tuple +NodeLatency:tuple +Partition +PartitionLatency:tuple
+PartitionMode{size_based=0,sparse_nn=1,cost_aware=2,kl_based=3,aot_based=4} +PartitionerConfig:tuple
get_comm_latency_between get_extra_size_of get_latency_of_one_partition get_latency_of_partitioned_graph
get_partition_to_latency_mapping""",
    "torch.fx.experimental.proxy_tensor": """+BackwardState@torch.fx.experimental._backward_state +DecompositionInterpreter
+FakeTensor@torch._subclasses.fake_tensor +FakeTensorMode@torch._subclasses.fake_tensor
+FunctionalTensor@torch._subclasses.functional_tensor +PreDispatchTorchFunctionMode +ProxyTorchDispatchMode
+PythonKeyTracer +SymNode@torch.fx.experimental.sym_node +TorchFunctionMetadataMode decompose
disable_autocast_cache disable_proxy_modes_tracing dispatch_trace extract_val fake_signature
fast_detach@torch._subclasses.fake_impls fetch_object_proxy fetch_sym_proxy get_innermost_proxy_mode
get_isolated_graphmodule get_plain_tensors@torch._subclasses.fake_tensor get_proxy_mode get_proxy_slot
get_torch_dispatch_modes handle_sym_dispatch has_proxy_slot is_fake@torch._subclasses.fake_tensor
is_sparse_any@torch._subclasses.meta_utils is_sym_node make_fx maybe_disable_thunkify maybe_enable_thunkify
maybe_handle_decomp proxy_call selective_decompose set_meta set_original_aten_op set_proxy_slot
snapshot_fake thunkify track_tensor track_tensor_tree unset_fake_temporarily@torch._subclasses.fake_tensor
wrap_key wrapper_and_args_for_make_fx""",
    "torch.fx.experimental.recording": """+FakeTensorMeta +NotEqualError:Exception +ShapeEnvEvent record_shapeenv_event replay_shape_env_events
shape_env_check_state_equal""",
    "torch.fx.experimental.refinement_types": """+Equality""",
    "torch.fx.experimental.rewriter": """+AST_Rewriter +RewritingTracer""",
    "torch.fx.experimental.schema_type_annotation": """+AnnotateTypesWithSchema""",
    "torch.fx.experimental.sym_node": """+DynamicInt:int +SymNode is_channels_last_contiguous_2d is_channels_last_contiguous_3d
is_channels_last_strides_2d is_channels_last_strides_3d is_contiguous is_non_overlapping_and_dense_indicator
method_to_operator sympy_is_channels_last_contiguous_2d sympy_is_channels_last_contiguous_3d
sympy_is_channels_last_strides_2d sympy_is_channels_last_strides_3d sympy_is_channels_last_strides_generic
sympy_is_contiguous sympy_is_contiguous_generic to_node wrap_node""",
    "torch.fx.experimental.symbolic_shapes": """+AggressiveGuardFreeMode@torch.fx.experimental._config +CallMethodKey +Constraint
+ConstraintViolationError:RuntimeError +ConvertIntKey +DimConstraints
+DimDynamic{DYNAMIC=0,DUCK=1,STATIC=2,UNBACKED=3,INFER_STRIDE=4} +DivideByKey +DynamicDimConstraintPrinter
+EqualityConstraint +FakeTensorMeta@torch.fx.experimental.recording
+GuardOnDataDependentSymNode:RuntimeError +InnerTensorKey +LoggingShapeGuardPrinter
+PendingUnbackedSymbolNotFound:RuntimeError +PropagateUnbackedSymInts +RelaxedUnspecConstraint
+RuntimeAssert +ShapeEnv +ShapeEnvEvent@torch.fx.experimental.recording +ShapeEnvSettings +ShapeGuardPrinter
+ShapeGuardPythonPrinter +Specialization +StatefulSymbolicContext +StatelessSymbolicContext
+StrictMinMaxConstraint +SubclassSymbolicContext +SymExprPrinter +SymIntEqByExpr +SymIntSymbolicContext
+SymNode@torch.fx.experimental.sym_node +SymbolicContext +TrackedFake +ValueRangesSLoc bind_symbols
canonicalize_bool_expr cast_symbool_to_symint_guardless check_consistent compute_unbacked_bindings
constrain_range constrain_unify create_contiguous error eval_guards eval_is_non_overlapping_and_dense
expect_true find_symbol_binding_fx_nodes free_symbols free_unbacked_symbols fx_placeholder_targets
fx_placeholder_vals guard_bool guard_float guard_int guard_or_false guard_or_true guard_scalar
guard_size_oblivious guarding_hint_or_throw has_free_symbols has_free_unbacked_symbols has_guarding_hint
has_static_value has_symbolic_sizes_strides is_accessor_node is_concrete_bool is_concrete_float
is_concrete_int is_nested_int is_sparse_any@torch._subclasses.meta_utils is_symbol_binding_fx_node
is_symbolic log_lru_cache_stats lru_cache optimization_hint rebind_unbacked
record_shapeenv_event@torch.fx.experimental.recording
replay_shape_env_events@torch.fx.experimental.recording resolve_unbacked_bindings safe_expand
shape_env_check_state_equal@torch.fx.experimental.recording statically_known_false statically_known_true
sym_and sym_eq sym_or uninteresting_files""",
    "torch.fx.experimental.unification": """+Var@torch.fx.experimental.unification.variable isvar reify@torch.fx.experimental.unification.core
unifiable@torch.fx.experimental.unification.more unify var@torch.fx.experimental.unification.variable
variables@torch.fx.experimental.unification.variable vars@torch.fx.experimental.unification.variable""",
    "torch.fx.experimental.unification.core": """assoc@torch.fx.experimental.unification.unification_tools isvar reify unify walk""",
    "torch.fx.experimental.unification.match": """+Dispatcher +VarDispatcher edge first@torch.fx.experimental.unification.unification_tools
freeze@torch.fx.experimental.unification.utils groupby@torch.fx.experimental.unification.unification_tools
isvar match ordering reify@torch.fx.experimental.unification.core supercedes unify""",
    "torch.fx.experimental.unification.more": """core_reify core_unify reify@torch.fx.experimental.unification.core reify_object unifiable unify unify_object""",
    "torch.fx.experimental.unification.multipledispatch": """+Dispatcher@torch.fx.experimental.unification.multipledispatch.dispatcher
+MDNotImplementedError@torch.fx.experimental.unification.multipledispatch.dispatcher
dispatch@torch.fx.experimental.unification.multipledispatch.core
halt_ordering@torch.fx.experimental.unification.multipledispatch.dispatcher
restart_ordering@torch.fx.experimental.unification.multipledispatch.dispatcher""",
    "torch.fx.experimental.unification.multipledispatch.conflict": """+AmbiguityWarning:Warning ambiguities ambiguous consistent edge
groupby@torch.fx.experimental.unification.multipledispatch.utils
isvariadic@torch.fx.experimental.unification.multipledispatch.variadic ordering super_signature supercedes""",
    "torch.fx.experimental.unification.multipledispatch.core": """+Dispatcher@torch.fx.experimental.unification.multipledispatch.dispatcher
+MethodDispatcher@torch.fx.experimental.unification.multipledispatch.dispatcher dispatch ismethod""",
    "torch.fx.experimental.unification.multipledispatch.dispatcher": """+AmbiguityWarning@torch.fx.experimental.unification.multipledispatch.conflict +Dispatcher
+MDNotImplementedError:NotImplementedError +MethodDispatcher
+Variadic@torch.fx.experimental.unification.multipledispatch.variadic
ambiguities@torch.fx.experimental.unification.multipledispatch.conflict ambiguity_warn
expand_tuples@torch.fx.experimental.unification.multipledispatch.utils halt_ordering
isvariadic@torch.fx.experimental.unification.multipledispatch.variadic
ordering@torch.fx.experimental.unification.multipledispatch.conflict restart_ordering source str_signature
super_signature@torch.fx.experimental.unification.multipledispatch.conflict variadic_signature_matches
variadic_signature_matches_iter warning_text""",
    "torch.fx.experimental.unification.multipledispatch.utils": """expand_tuples groupby raises reverse_dict typename""",
    "torch.fx.experimental.unification.multipledispatch.variadic": """+Variadic +VariadicSignatureMeta:type +VariadicSignatureType:type isvariadic
typename@torch.fx.experimental.unification.multipledispatch.utils""",
    "torch.fx.experimental.unification.unification_tools": """assoc assoc_in dissoc first get_in getter groupby itemfilter itemmap keyfilter keymap merge merge_with
update_in valfilter valmap""",
    "torch.fx.experimental.unification.utils": """freeze hashable raises reverse_dict transitive_get xfail""",
    "torch.fx.experimental.unification.variable": """+Var hashable@torch.fx.experimental.unification.utils isvar var variables vars""",
    "torch.fx.experimental.unify_refinements": """+Equality@torch.fx.experimental.refinement_types +Refine@torch.fx.experimental.graph_gradual_typechecker
+Var@torch.fx.experimental.unification.variable check_for_type_equality convert_eq infer_symbolic_types
infer_symbolic_types_single_pass substitute_all_types substitute_solution_one_type unify unify_eq""",
    "torch.fx.experimental.validator": """+BisectValidationException:RuntimeError +TorchDynamoException@torch._dynamo.exc
+ValidationException:RuntimeError bisect dynamo_timed@torch._dynamo.utils translation_validation_enabled
translation_validation_timeout""",
    "torch.jit": """+Attribute@torch.jit._script +CompilationUnit +Error:Exception +Future +ONNXTracedModule@torch.jit._trace
+RecursiveScriptClass@torch.jit._script +RecursiveScriptModule@torch.jit._script +ScriptFunction
+ScriptModule@torch.jit._script +ScriptWarning@torch.jit._script +TopLevelTracedModule@torch.jit._trace
+TracedModule@torch.jit._trace +TracerWarning@torch.jit._trace +TracingCheckError@torch.jit._trace
+strict_fusion Final _overload _overload_method _script_if_tracing@torch.jit._trace annotate
enable_onednn_fusion export export_opnames fork@torch.jit._async freeze@torch.jit._freeze
fuser@torch.jit._fuser ignore interface@torch.jit._script is_scripting is_tracing@torch.jit._trace
isinstance jit_module_from_flatbuffer@torch.jit._serialization load@torch.jit._serialization
onednn_fusion_enabled optimize_for_inference@torch.jit._freeze optimized_execution@torch.jit._fuser
run_frozen_optimizations@torch.jit._freeze save@torch.jit._serialization
save_jit_module_to_flatbuffer@torch.jit._serialization script@torch.jit._script script_if_tracing
script_method@torch.jit._script set_fusion_strategy@torch.jit._fuser trace@torch.jit._trace
trace_module@torch.jit._trace unused wait@torch.jit._async""",
    "torch.jit._async": """fork wait""",
    "torch.jit._freeze": """freeze optimize_for_inference run_frozen_optimizations""",
    "torch.jit._fuser": """fuser optimized_execution set_fusion_strategy""",
    "torch.jit._monkeytype_config": """get_qualified_name""",
    "torch.jit._recursive": """wrap_cpp_module""",
    "torch.jit._script": """+Attribute:tuple +RecursiveScriptClass +RecursiveScriptModule:Module +ScriptModule:Module
+ScriptWarning:Warning interface script script_method""",
    "torch.jit._serialization": """jit_module_from_flatbuffer load save save_jit_module_to_flatbuffer validate_map_location""",
    "torch.jit._trace": """+ONNXTracedModule:Module +TopLevelTracedModule:Module +TracedModule:Module +TracerWarning:Warning
+TracingCheckError:Exception _script_if_tracing is_tracing trace trace_module""",
    "torch.jit.annotations": """+Any +AnyType +ComplexType +DictType +EvalEnv +FloatType +Future@torch.jit +IntType +ListType +Module
+RRef@torch.distributed.rpc.api +StringType +TensorType +TupleType Dict List Tuple ann_to_type check_fn
get_enum_value_type get_param_names get_signature get_type_line is_dict is_function_or_method is_list
is_optional is_tensor is_tuple is_union is_vararg parse_type_line split_type_line try_ann_to_type
try_real_annotations""",
    "torch.jit.frontend": """+Builder +ExprBuilder +FrontendError:Exception +FrontendTypeError:Exception +NotSupportedError:Exception
+StmtBuilder +UnsupportedNodeError:Exception +WithItemBuilder build_class_def build_def build_expr
build_ignore_context_manager build_param build_param_list build_stmt build_stmts build_withitem
build_withitems find_before get_class_assigns get_class_properties get_default_args
get_default_args_for_class get_jit_class_def get_jit_def get_qualified_name@torch.jit._monkeytype_config
is_reserved_name is_torch_jit_ignore_context_manager""",
    "torch.jit.generate_bytecode": """format_bytecode generate_upgraders_bytecode""",
    "torch.jit.mobile": """+LiteScriptModule validate_map_location@torch.jit._serialization""",
    "torch.jit.quantized": """+QuantizedGRU:Module +QuantizedGRUCell:Module +QuantizedLSTM:Module +QuantizedLSTMCell:Module
+QuantizedLinear:Module +QuantizedLinearFP16:Module +QuantizedRNNBase:Module +QuantizedRNNCell:Module
+QuantizedRNNCellBase:Module quantize_linear_modules quantize_rnn_cell_modules quantize_rnn_modules""",
    "torch.jit.unsupported_tensor_ops": """execWrapper""",
    "torch.nn.intrinsic": """+BNReLU2d@torch.ao.nn.intrinsic.modules.fused +BNReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvBn1d@torch.ao.nn.intrinsic.modules.fused +ConvBn2d@torch.ao.nn.intrinsic.modules.fused
+ConvBn3d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU1d@torch.ao.nn.intrinsic.modules.fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU1d@torch.ao.nn.intrinsic.modules.fused +ConvReLU2d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU3d@torch.ao.nn.intrinsic.modules.fused +LinearBn1d@torch.ao.nn.intrinsic.modules.fused
+LinearReLU@torch.ao.nn.intrinsic.modules.fused""",
    "torch.nn.intrinsic.modules": """+BNReLU2d@torch.ao.nn.intrinsic.modules.fused +BNReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvBn1d@torch.ao.nn.intrinsic.modules.fused +ConvBn2d@torch.ao.nn.intrinsic.modules.fused
+ConvBn3d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU1d@torch.ao.nn.intrinsic.modules.fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU1d@torch.ao.nn.intrinsic.modules.fused +ConvReLU2d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU3d@torch.ao.nn.intrinsic.modules.fused +LinearBn1d@torch.ao.nn.intrinsic.modules.fused
+LinearReLU@torch.ao.nn.intrinsic.modules.fused""",
    "torch.nn.intrinsic.modules.fused": """+BNReLU2d@torch.ao.nn.intrinsic.modules.fused +BNReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvBn1d@torch.ao.nn.intrinsic.modules.fused +ConvBn2d@torch.ao.nn.intrinsic.modules.fused
+ConvBn3d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU1d@torch.ao.nn.intrinsic.modules.fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.modules.fused +ConvBnReLU3d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU1d@torch.ao.nn.intrinsic.modules.fused +ConvReLU2d@torch.ao.nn.intrinsic.modules.fused
+ConvReLU3d@torch.ao.nn.intrinsic.modules.fused +LinearBn1d@torch.ao.nn.intrinsic.modules.fused
+LinearReLU@torch.ao.nn.intrinsic.modules.fused""",
    "torch.nn.intrinsic.qat": """+ConvBn1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+LinearBn1d@torch.ao.nn.intrinsic.qat.modules.linear_fused
+LinearReLU@torch.ao.nn.intrinsic.qat.modules.linear_relu
freeze_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused
update_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused""",
    "torch.nn.intrinsic.qat.modules": """+ConvBn1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+LinearBn1d@torch.ao.nn.intrinsic.qat.modules.linear_fused
+LinearReLU@torch.ao.nn.intrinsic.qat.modules.linear_relu
freeze_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused
update_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused""",
    "torch.nn.intrinsic.qat.modules.conv_fused": """+ConvBn1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBn3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvBnReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU1d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU2d@torch.ao.nn.intrinsic.qat.modules.conv_fused
+ConvReLU3d@torch.ao.nn.intrinsic.qat.modules.conv_fused
freeze_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused
update_bn_stats@torch.ao.nn.intrinsic.qat.modules.conv_fused""",
    "torch.nn.intrinsic.qat.modules.linear_fused": """+LinearBn1d@torch.ao.nn.intrinsic.qat.modules.linear_fused""",
    "torch.nn.intrinsic.qat.modules.linear_relu": """+LinearReLU@torch.ao.nn.intrinsic.qat.modules.linear_relu""",
    "torch.nn.intrinsic.quantized": """+BNReLU2d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+BNReLU3d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+ConvReLU1d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU2d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU3d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+LinearReLU@torch.ao.nn.intrinsic.quantized.modules.linear_relu""",
    "torch.nn.intrinsic.quantized.dynamic": """+LinearReLU@torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu""",
    "torch.nn.intrinsic.quantized.dynamic.modules": """+LinearReLU@torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu""",
    "torch.nn.intrinsic.quantized.dynamic.modules.linear_relu": """+LinearReLU@torch.ao.nn.intrinsic.quantized.dynamic.modules.linear_relu""",
    "torch.nn.intrinsic.quantized.modules": """+BNReLU2d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+BNReLU3d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+ConvReLU1d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU2d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU3d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+LinearReLU@torch.ao.nn.intrinsic.quantized.modules.linear_relu""",
    "torch.nn.intrinsic.quantized.modules.bn_relu": """+BNReLU2d@torch.ao.nn.intrinsic.quantized.modules.bn_relu
+BNReLU3d@torch.ao.nn.intrinsic.quantized.modules.bn_relu""",
    "torch.nn.intrinsic.quantized.modules.conv_relu": """+ConvReLU1d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU2d@torch.ao.nn.intrinsic.quantized.modules.conv_relu
+ConvReLU3d@torch.ao.nn.intrinsic.quantized.modules.conv_relu""",
    "torch.nn.intrinsic.quantized.modules.linear_relu": """+LinearReLU@torch.ao.nn.intrinsic.quantized.modules.linear_relu""",
    "torch.nn.parallel": """+DataParallel@torch.nn.parallel.data_parallel +DistributedDataParallel@torch.nn.parallel.distributed
+DistributedDataParallelCPU:Module data_parallel@torch.nn.parallel.data_parallel
gather@torch.nn.parallel.scatter_gather parallel_apply@torch.nn.parallel.parallel_apply
replicate@torch.nn.parallel.replicate scatter@torch.nn.parallel.scatter_gather""",
    "torch.nn.parallel._functions": """+Gather +Scatter""",
    "torch.nn.parallel.comm": """broadcast broadcast_coalesced gather reduce_add reduce_add_coalesced scatter""",
    "torch.nn.parallel.data_parallel": """+DataParallel:Module data_parallel gather@torch.nn.parallel.scatter_gather
parallel_apply@torch.nn.parallel.parallel_apply replicate@torch.nn.parallel.replicate
scatter_kwargs@torch.nn.parallel.scatter_gather""",
    "torch.nn.parallel.distributed": """+DistributedDataParallel:Module +Join@torch.distributed.algorithms.join
+JoinHook@torch.distributed.algorithms.join +Joinable@torch.distributed.algorithms.join
+RRef@torch.distributed.rpc.api +ReduceOp@torch.distributed.distributed_c10d
gather@torch.nn.parallel.scatter_gather scatter_kwargs@torch.nn.parallel.scatter_gather""",
    "torch.nn.parallel.parallel_apply": """get_a_var parallel_apply""",
    "torch.nn.parallel.replicate": """replicate""",
    "torch.nn.parallel.scatter_gather": """+Gather@torch.nn.parallel._functions +Scatter@torch.nn.parallel._functions gather is_namedtuple scatter
scatter_kwargs""",
    "torch.nn.qat": """+Conv1d@torch.ao.nn.qat.modules.conv +Conv2d@torch.ao.nn.qat.modules.conv
+Conv3d@torch.ao.nn.qat.modules.conv +Embedding@torch.ao.nn.qat.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.qat.modules.embedding_ops +Linear@torch.ao.nn.qat.modules.linear""",
    "torch.nn.qat.dynamic": """+Linear@torch.ao.nn.qat.dynamic.modules.linear""",
    "torch.nn.qat.dynamic.modules": """+Linear@torch.ao.nn.qat.dynamic.modules.linear""",
    "torch.nn.qat.dynamic.modules.linear": """+Linear@torch.ao.nn.qat.dynamic.modules.linear""",
    "torch.nn.qat.modules": """+Conv1d@torch.ao.nn.qat.modules.conv +Conv2d@torch.ao.nn.qat.modules.conv
+Conv3d@torch.ao.nn.qat.modules.conv +Embedding@torch.ao.nn.qat.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.qat.modules.embedding_ops +Linear@torch.ao.nn.qat.modules.linear""",
    "torch.nn.qat.modules.conv": """+Conv1d@torch.ao.nn.qat.modules.conv +Conv2d@torch.ao.nn.qat.modules.conv
+Conv3d@torch.ao.nn.qat.modules.conv""",
    "torch.nn.qat.modules.embedding_ops": """+Embedding@torch.ao.nn.qat.modules.embedding_ops +EmbeddingBag@torch.ao.nn.qat.modules.embedding_ops""",
    "torch.nn.qat.modules.linear": """+Linear@torch.ao.nn.qat.modules.linear""",
    "torch.nn.quantizable": """+LSTM@torch.ao.nn.quantizable.modules.rnn +LSTMCell@torch.ao.nn.quantizable.modules.rnn
+MultiheadAttention@torch.ao.nn.quantizable.modules.activation""",
    "torch.nn.quantizable.modules": """+LSTM@torch.ao.nn.quantizable.modules.rnn +LSTMCell@torch.ao.nn.quantizable.modules.rnn
+MultiheadAttention@torch.ao.nn.quantizable.modules.activation""",
    "torch.nn.quantizable.modules.activation": """+MultiheadAttention@torch.ao.nn.quantizable.modules.activation""",
    "torch.nn.quantizable.modules.rnn": """+LSTM@torch.ao.nn.quantizable.modules.rnn +LSTMCell@torch.ao.nn.quantizable.modules.rnn""",
    "torch.nn.quantized": """+BatchNorm2d@torch.ao.nn.quantized.modules.batchnorm +BatchNorm3d@torch.ao.nn.quantized.modules.batchnorm
+Conv1d@torch.ao.nn.quantized.modules.conv +Conv2d@torch.ao.nn.quantized.modules.conv
+Conv3d@torch.ao.nn.quantized.modules.conv +ConvTranspose1d@torch.ao.nn.quantized.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.modules.conv +ConvTranspose3d@torch.ao.nn.quantized.modules.conv
+DeQuantize@torch.ao.nn.quantized.modules +Dropout@torch.ao.nn.quantized.modules.dropout
+ELU@torch.ao.nn.quantized.modules.activation +Embedding@torch.ao.nn.quantized.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.quantized.modules.embedding_ops
+FXFloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+FloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+GroupNorm@torch.ao.nn.quantized.modules.normalization +Hardswish@torch.ao.nn.quantized.modules.activation
+InstanceNorm1d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm2d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm3d@torch.ao.nn.quantized.modules.normalization +LSTM@torch.ao.nn.quantized.modules.rnn
+LayerNorm@torch.ao.nn.quantized.modules.normalization +LeakyReLU@torch.ao.nn.quantized.modules.activation
+Linear@torch.ao.nn.quantized.modules.linear +MultiheadAttention@torch.ao.nn.quantized.modules.activation
+PReLU@torch.ao.nn.quantized.modules.activation
+QFunctional@torch.ao.nn.quantized.modules.functional_modules +Quantize@torch.ao.nn.quantized.modules
+ReLU6@torch.ao.nn.quantized.modules.activation +Sigmoid@torch.ao.nn.quantized.modules.activation
+Softmax@torch.ao.nn.quantized.modules.activation""",
    "torch.nn.quantized.dynamic": """+Conv1d@torch.ao.nn.quantized.dynamic.modules.conv +Conv2d@torch.ao.nn.quantized.dynamic.modules.conv
+Conv3d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose1d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose3d@torch.ao.nn.quantized.dynamic.modules.conv +GRU@torch.ao.nn.quantized.dynamic.modules.rnn
+GRUCell@torch.ao.nn.quantized.dynamic.modules.rnn +LSTM@torch.ao.nn.quantized.dynamic.modules.rnn
+LSTMCell@torch.ao.nn.quantized.dynamic.modules.rnn +Linear@torch.ao.nn.quantized.dynamic.modules.linear
+RNNCell@torch.ao.nn.quantized.dynamic.modules.rnn""",
    "torch.nn.quantized.dynamic.modules": """+Conv1d@torch.ao.nn.quantized.dynamic.modules.conv +Conv2d@torch.ao.nn.quantized.dynamic.modules.conv
+Conv3d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose1d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose3d@torch.ao.nn.quantized.dynamic.modules.conv +GRU@torch.ao.nn.quantized.dynamic.modules.rnn
+GRUCell@torch.ao.nn.quantized.dynamic.modules.rnn +LSTM@torch.ao.nn.quantized.dynamic.modules.rnn
+LSTMCell@torch.ao.nn.quantized.dynamic.modules.rnn +Linear@torch.ao.nn.quantized.dynamic.modules.linear
+RNNCell@torch.ao.nn.quantized.dynamic.modules.rnn""",
    "torch.nn.quantized.dynamic.modules.conv": """+Conv1d@torch.ao.nn.quantized.dynamic.modules.conv +Conv2d@torch.ao.nn.quantized.dynamic.modules.conv
+Conv3d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose1d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.dynamic.modules.conv
+ConvTranspose3d@torch.ao.nn.quantized.dynamic.modules.conv""",
    "torch.nn.quantized.dynamic.modules.linear": """+Linear@torch.ao.nn.quantized.dynamic.modules.linear""",
    "torch.nn.quantized.dynamic.modules.rnn": """+GRU@torch.ao.nn.quantized.dynamic.modules.rnn +GRUCell@torch.ao.nn.quantized.dynamic.modules.rnn
+LSTM@torch.ao.nn.quantized.dynamic.modules.rnn +LSTMCell@torch.ao.nn.quantized.dynamic.modules.rnn
+PackedParameter@torch.ao.nn.quantized.dynamic.modules.rnn
+RNNBase@torch.ao.nn.quantized.dynamic.modules.rnn +RNNCell@torch.ao.nn.quantized.dynamic.modules.rnn
+RNNCellBase@torch.ao.nn.quantized.dynamic.modules.rnn
pack_weight_bias@torch.ao.nn.quantized.dynamic.modules.rnn""",
    "torch.nn.quantized.functional": """adaptive_avg_pool2d@torch.ao.nn.quantized.functional adaptive_avg_pool3d@torch.ao.nn.quantized.functional
avg_pool2d@torch.ao.nn.quantized.functional avg_pool3d@torch.ao.nn.quantized.functional
celu@torch.ao.nn.quantized.functional clamp@torch.ao.nn.quantized.functional
conv1d@torch.ao.nn.quantized.functional conv2d@torch.ao.nn.quantized.functional
conv3d@torch.ao.nn.quantized.functional elu@torch.ao.nn.quantized.functional
hardsigmoid@torch.ao.nn.quantized.functional hardswish@torch.ao.nn.quantized.functional
hardtanh@torch.ao.nn.quantized.functional interpolate@torch.ao.nn.quantized.functional
leaky_relu@torch.ao.nn.quantized.functional linear@torch.ao.nn.quantized.functional
max_pool1d@torch.ao.nn.quantized.functional max_pool2d@torch.ao.nn.quantized.functional
threshold@torch.ao.nn.quantized.functional upsample@torch.ao.nn.quantized.functional
upsample_bilinear@torch.ao.nn.quantized.functional upsample_nearest@torch.ao.nn.quantized.functional""",
    "torch.nn.quantized.modules": """+BatchNorm2d@torch.ao.nn.quantized.modules.batchnorm +BatchNorm3d@torch.ao.nn.quantized.modules.batchnorm
+Conv1d@torch.ao.nn.quantized.modules.conv +Conv2d@torch.ao.nn.quantized.modules.conv
+Conv3d@torch.ao.nn.quantized.modules.conv +ConvTranspose1d@torch.ao.nn.quantized.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.modules.conv +ConvTranspose3d@torch.ao.nn.quantized.modules.conv
+DeQuantize@torch.ao.nn.quantized.modules +Dropout@torch.ao.nn.quantized.modules.dropout
+ELU@torch.ao.nn.quantized.modules.activation +Embedding@torch.ao.nn.quantized.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.quantized.modules.embedding_ops
+FXFloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+FloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+GroupNorm@torch.ao.nn.quantized.modules.normalization +Hardswish@torch.ao.nn.quantized.modules.activation
+InstanceNorm1d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm2d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm3d@torch.ao.nn.quantized.modules.normalization +LSTM@torch.ao.nn.quantized.modules.rnn
+LayerNorm@torch.ao.nn.quantized.modules.normalization +LeakyReLU@torch.ao.nn.quantized.modules.activation
+Linear@torch.ao.nn.quantized.modules.linear +MultiheadAttention@torch.ao.nn.quantized.modules.activation
+PReLU@torch.ao.nn.quantized.modules.activation
+QFunctional@torch.ao.nn.quantized.modules.functional_modules +Quantize@torch.ao.nn.quantized.modules
+ReLU6@torch.ao.nn.quantized.modules.activation +Sigmoid@torch.ao.nn.quantized.modules.activation
+Softmax@torch.ao.nn.quantized.modules.activation""",
    "torch.nn.quantized.modules.activation": """+ELU@torch.ao.nn.quantized.modules.activation +Hardswish@torch.ao.nn.quantized.modules.activation
+LeakyReLU@torch.ao.nn.quantized.modules.activation
+MultiheadAttention@torch.ao.nn.quantized.modules.activation +PReLU@torch.ao.nn.quantized.modules.activation
+ReLU6@torch.ao.nn.quantized.modules.activation +Sigmoid@torch.ao.nn.quantized.modules.activation
+Softmax@torch.ao.nn.quantized.modules.activation""",
    "torch.nn.quantized.modules.batchnorm": """+BatchNorm2d@torch.ao.nn.quantized.modules.batchnorm +BatchNorm3d@torch.ao.nn.quantized.modules.batchnorm""",
    "torch.nn.quantized.modules.conv": """+Conv1d@torch.ao.nn.quantized.modules.conv +Conv2d@torch.ao.nn.quantized.modules.conv
+Conv3d@torch.ao.nn.quantized.modules.conv +ConvTranspose1d@torch.ao.nn.quantized.modules.conv
+ConvTranspose2d@torch.ao.nn.quantized.modules.conv +ConvTranspose3d@torch.ao.nn.quantized.modules.conv""",
    "torch.nn.quantized.modules.dropout": """+Dropout@torch.ao.nn.quantized.modules.dropout""",
    "torch.nn.quantized.modules.embedding_ops": """+Embedding@torch.ao.nn.quantized.modules.embedding_ops
+EmbeddingBag@torch.ao.nn.quantized.modules.embedding_ops
+EmbeddingPackedParams@torch.ao.nn.quantized.modules.embedding_ops""",
    "torch.nn.quantized.modules.functional_modules": """+FXFloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+FloatFunctional@torch.ao.nn.quantized.modules.functional_modules
+QFunctional@torch.ao.nn.quantized.modules.functional_modules""",
    "torch.nn.quantized.modules.linear": """+Linear@torch.ao.nn.quantized.modules.linear +LinearPackedParams@torch.ao.nn.quantized.modules.linear""",
    "torch.nn.quantized.modules.normalization": """+GroupNorm@torch.ao.nn.quantized.modules.normalization
+InstanceNorm1d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm2d@torch.ao.nn.quantized.modules.normalization
+InstanceNorm3d@torch.ao.nn.quantized.modules.normalization
+LayerNorm@torch.ao.nn.quantized.modules.normalization""",
    "torch.nn.quantized.modules.rnn": """+LSTM@torch.ao.nn.quantized.modules.rnn""",
    "torch.nn.quantized.modules.utils": """+WeightedQuantizedModule@torch.ao.nn.quantized.modules.utils""",
    "torch.onnx": """+ExportableModule:Module +InputObserver +JitScalarType@torch.onnx._internal.torchscript_exporter._type_utils
+ONNXProgram +OnnxExporterError:RuntimeError +OperatorExportTypes +TensorProtoDataType +TrainingMode export
is_in_onnx_export register_custom_op_symbolic@torch.onnx._internal.torchscript_exporter.utils
select_model_mode_for_export@torch.onnx._internal.torchscript_exporter.utils
unregister_custom_op_symbolic@torch.onnx._internal.torchscript_exporter.utils""",
    "torch.onnx._internal": "",
    "torch.onnx._internal.torchscript_exporter": "",
    "torch.onnx._internal.torchscript_exporter._type_utils": """+JitScalarType{UINT8=0,INT8=1,INT16=2,INT=3,INT64=4,HALF=5,FLOAT=6,DOUBLE=7,COMPLEX32=8,COMPLEX64=9,COMPLEX128=10,BOOL=11,QINT8=12,QUINT8=13,QINT32=14,BFLOAT16=15,FLOAT8E5M2=16,FLOAT8E4M3FN=17,FLOAT8E5M2FNUZ=18,FLOAT8E4M3FNUZ=19,UNDEFINED=20}""",
    "torch.onnx._internal.torchscript_exporter.symbolic_helper": """args_have_same_dtype check_training_mode dequantize_helper is_complex_value parse_args quantize_helper
quantized_args requantize_bias_helper""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset10": """dequantize div embedding_bag fake_quantize_per_tensor_affine flip fmod isfinite isinf nan_to_num
quantize_per_tensor quantized_add quantized_add_relu quantized_cat quantized_conv1d quantized_conv1d_relu
quantized_conv2d quantized_conv2d_relu quantized_conv3d quantized_conv3d_relu quantized_conv_transpose1d
quantized_conv_transpose2d quantized_conv_transpose3d quantized_group_norm quantized_hardswish
quantized_instance_norm quantized_layer_norm quantized_leaky_relu quantized_linear quantized_linear_relu
quantized_mul quantized_sigmoid slice sort topk""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset11": """Delete add append arange argsort atleast_1d atleast_2d atleast_3d cat chunk clamp clamp_max clamp_min
constant_pad_nd cumsum embedding_bag embedding_renorm flatten gather hardtanh hstack im2col index index_copy
index_fill index_put insert linalg_det linalg_vector_norm logdet masked_scatter masked_select mm narrow
normal pad pixel_shuffle pop prim_constant_chunk reflection_pad relu6 remainder replication_pad round
scatter select size sort split split_with_sizes squeeze stack topk unbind unique_dim unsqueeze vstack""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset12": """argmax argmin binary_cross_entropy_with_logits celu cross_entropy_loss dropout einsum ge le native_dropout
nll_loss nll_loss2d nll_loss_nd outer pow tensordot unfold""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset13": """diagonal fake_quantize_per_channel_affine fake_quantize_per_tensor_affine frobenius_norm log_softmax
nonzero_numpy quantized_conv1d quantized_conv1d_relu quantized_conv2d quantized_conv2d_relu quantized_conv3d
quantized_conv3d_relu quantized_conv_transpose1d quantized_conv_transpose2d quantized_conv_transpose3d
quantized_linear quantized_linear_relu repeat_interleave softmax split split_with_sizes tensor_split tile
unbind unflatten unsafe_chunk unsafe_split unsafe_split_with_sizes where""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset14": """batch_norm hardswish quantized_hardswish reshape scaled_dot_product_attention tril triu""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset15": """aten__is_ aten__isnot_ bernoulli prim_unchecked_cast""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset16": """grid_sampler scatter_add scatter_reduce""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset17": """layer_norm quantized_layer_norm stft""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset18": """col2im""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset20": """gelu""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset7": """max min""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset8": """addmm bmm empty empty_like flatten full full_like gt lt matmul mm ones ones_like prelu repeat zeros
zeros_like""",
    "torch.onnx._internal.torchscript_exporter.symbolic_opset9": """abs acos add addcmul addmm alias amax amin aminmax arange argmax argmin as_strided as_tensor asin atan atan2
baddbmm batch_norm bernoulli bitwise_not bitwise_or bmm broadcast_tensors broadcast_to bucketize cat cdist
ceil clamp clamp_max clamp_min clone constant_pad_nd contiguous conv1d conv2d conv3d conv_tbc
conv_transpose1d conv_transpose2d conv_transpose3d convert_element_type convolution cos cosine_similarity
cross cumsum detach dim div dot dropout elu embedding embedding_bag empty empty_like eq erf exp expand
expand_as eye fill flatten floor floor_divide floordiv frobenius_norm full full_like gather ge gelu
get_pool_ceil_padding glu group_norm gt hann_window hardshrink hardsigmoid hardswish hardtanh index
index_add index_copy index_fill index_put index_select instance_norm is_floating_point is_pinned isnan item
kl_div layer_norm le leaky_relu lerp lift linalg_cross linalg_matrix_norm linalg_norm linalg_vector_norm
linear linspace log log10 log1p log2 log_sigmoid log_softmax logical_and logical_not logical_or logical_xor
logit logsumexp lstm lstm_cell lt masked_fill masked_fill_ matmul max maximum meshgrid min minimum mish mm
movedim mse_loss mul multinomial mv narrow native_layer_norm ne neg new_empty new_full new_ones new_zeros
nonzero nonzero_numpy noop_complex_operators norm numel numpy_T one_hot ones ones_like onnx_placeholder pad
pairwise_distance permute pixel_shuffle pixel_unshuffle pow prelu prim_constant prim_constant_chunk
prim_constant_split prim_data prim_device prim_dtype prim_if prim_layout prim_list_construct
prim_list_unpack prim_loop prim_max prim_min prim_shape prim_tolist prim_tuple_construct prim_type
prim_unchecked_cast prim_uninitialized rand rand_like randint randint_like randn randn_like reciprocal
reflection_pad relu relu6 remainder repeat repeat_interleave replication_pad reshape reshape_as roll rrelu
rsqrt rsub scalar_tensor scatter scatter_add select selu sigmoid sign silu sin size slice softmax softplus
softshrink sort split split_with_sizes sqrt square squeeze stack std std_mean sub t take tan tanh tanhshrink
tensor threshold to topk transpose true_divide type_as unbind unfold unsafe_chunk unsafe_split
unsafe_split_with_sizes unsqueeze unsupported_complex_operators unused var var_mean view view_as where
wrap_logical_op_with_cast_to wrap_logical_op_with_negation zero zeros zeros_like""",
    "torch.onnx._internal.torchscript_exporter.utils": """disable_apex_o2_state_dict_hook export exporter_context model_signature register_custom_op_symbolic
select_model_mode_for_export setup_onnx_logging unconvertible_ops unpack_quantized_tensor
unregister_custom_op_symbolic warn_on_static_input_change""",
    "torch.onnx.errors": """+OnnxExporterError@torch.onnx +OnnxExporterWarning:UserWarning +SymbolicValueError:RuntimeError
+UnsupportedOperatorError:RuntimeError""",
    "torch.onnx.operators": """shape_as_tensor""",
    "torch.onnx.ops": """aten_decompositions attention rotary_embedding symbolic symbolic_multi_out""",
    "torch.onnx.symbolic_helper": """args_have_same_dtype@torch.onnx._internal.torchscript_exporter.symbolic_helper
check_training_mode@torch.onnx._internal.torchscript_exporter.symbolic_helper
dequantize_helper@torch.onnx._internal.torchscript_exporter.symbolic_helper
is_complex_value@torch.onnx._internal.torchscript_exporter.symbolic_helper
parse_args@torch.onnx._internal.torchscript_exporter.symbolic_helper
quantize_helper@torch.onnx._internal.torchscript_exporter.symbolic_helper
quantized_args@torch.onnx._internal.torchscript_exporter.symbolic_helper
requantize_bias_helper@torch.onnx._internal.torchscript_exporter.symbolic_helper""",
    "torch.onnx.symbolic_opset10": """dequantize@torch.onnx._internal.torchscript_exporter.symbolic_opset10
div@torch.onnx._internal.torchscript_exporter.symbolic_opset10
embedding_bag@torch.onnx._internal.torchscript_exporter.symbolic_opset10
fake_quantize_per_tensor_affine@torch.onnx._internal.torchscript_exporter.symbolic_opset10
flip@torch.onnx._internal.torchscript_exporter.symbolic_opset10
fmod@torch.onnx._internal.torchscript_exporter.symbolic_opset10
isfinite@torch.onnx._internal.torchscript_exporter.symbolic_opset10
isinf@torch.onnx._internal.torchscript_exporter.symbolic_opset10
nan_to_num@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantize_per_tensor@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_add@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_add_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_cat@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv1d@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv1d_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv2d@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv2d_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv3d@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv3d_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv_transpose1d@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv_transpose2d@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_conv_transpose3d@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_group_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_hardswish@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_instance_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_layer_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_leaky_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_linear@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_linear_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_mul@torch.onnx._internal.torchscript_exporter.symbolic_opset10
quantized_sigmoid@torch.onnx._internal.torchscript_exporter.symbolic_opset10
slice@torch.onnx._internal.torchscript_exporter.symbolic_opset10
sort@torch.onnx._internal.torchscript_exporter.symbolic_opset10
topk@torch.onnx._internal.torchscript_exporter.symbolic_opset10""",
    "torch.onnx.symbolic_opset11": """Delete@torch.onnx._internal.torchscript_exporter.symbolic_opset11
add@torch.onnx._internal.torchscript_exporter.symbolic_opset11
append@torch.onnx._internal.torchscript_exporter.symbolic_opset11
arange@torch.onnx._internal.torchscript_exporter.symbolic_opset11
argsort@torch.onnx._internal.torchscript_exporter.symbolic_opset11
atleast_1d@torch.onnx._internal.torchscript_exporter.symbolic_opset11
atleast_2d@torch.onnx._internal.torchscript_exporter.symbolic_opset11
atleast_3d@torch.onnx._internal.torchscript_exporter.symbolic_opset11
cat@torch.onnx._internal.torchscript_exporter.symbolic_opset11
chunk@torch.onnx._internal.torchscript_exporter.symbolic_opset11
clamp@torch.onnx._internal.torchscript_exporter.symbolic_opset11
clamp_max@torch.onnx._internal.torchscript_exporter.symbolic_opset11
clamp_min@torch.onnx._internal.torchscript_exporter.symbolic_opset11
constant_pad_nd@torch.onnx._internal.torchscript_exporter.symbolic_opset11
cumsum@torch.onnx._internal.torchscript_exporter.symbolic_opset11
embedding_bag@torch.onnx._internal.torchscript_exporter.symbolic_opset11
embedding_renorm@torch.onnx._internal.torchscript_exporter.symbolic_opset11
flatten@torch.onnx._internal.torchscript_exporter.symbolic_opset11
gather@torch.onnx._internal.torchscript_exporter.symbolic_opset11
hardtanh@torch.onnx._internal.torchscript_exporter.symbolic_opset11
hstack@torch.onnx._internal.torchscript_exporter.symbolic_opset11
im2col@torch.onnx._internal.torchscript_exporter.symbolic_opset11
index@torch.onnx._internal.torchscript_exporter.symbolic_opset11
index_copy@torch.onnx._internal.torchscript_exporter.symbolic_opset11
index_fill@torch.onnx._internal.torchscript_exporter.symbolic_opset11
index_put@torch.onnx._internal.torchscript_exporter.symbolic_opset11
insert@torch.onnx._internal.torchscript_exporter.symbolic_opset11
linalg_det@torch.onnx._internal.torchscript_exporter.symbolic_opset11
linalg_vector_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset11
logdet@torch.onnx._internal.torchscript_exporter.symbolic_opset11
masked_scatter@torch.onnx._internal.torchscript_exporter.symbolic_opset11
masked_select@torch.onnx._internal.torchscript_exporter.symbolic_opset11
mm@torch.onnx._internal.torchscript_exporter.symbolic_opset11
narrow@torch.onnx._internal.torchscript_exporter.symbolic_opset11
normal@torch.onnx._internal.torchscript_exporter.symbolic_opset11
pad@torch.onnx._internal.torchscript_exporter.symbolic_opset11
pixel_shuffle@torch.onnx._internal.torchscript_exporter.symbolic_opset11
pop@torch.onnx._internal.torchscript_exporter.symbolic_opset11
prim_constant_chunk@torch.onnx._internal.torchscript_exporter.symbolic_opset11
reflection_pad@torch.onnx._internal.torchscript_exporter.symbolic_opset11
relu6@torch.onnx._internal.torchscript_exporter.symbolic_opset11
remainder@torch.onnx._internal.torchscript_exporter.symbolic_opset11
replication_pad@torch.onnx._internal.torchscript_exporter.symbolic_opset11
round@torch.onnx._internal.torchscript_exporter.symbolic_opset11
scatter@torch.onnx._internal.torchscript_exporter.symbolic_opset11
select@torch.onnx._internal.torchscript_exporter.symbolic_opset11
size@torch.onnx._internal.torchscript_exporter.symbolic_opset11
sort@torch.onnx._internal.torchscript_exporter.symbolic_opset11
split@torch.onnx._internal.torchscript_exporter.symbolic_opset11
split_with_sizes@torch.onnx._internal.torchscript_exporter.symbolic_opset11
squeeze@torch.onnx._internal.torchscript_exporter.symbolic_opset11
stack@torch.onnx._internal.torchscript_exporter.symbolic_opset11
topk@torch.onnx._internal.torchscript_exporter.symbolic_opset11
unbind@torch.onnx._internal.torchscript_exporter.symbolic_opset11
unique_dim@torch.onnx._internal.torchscript_exporter.symbolic_opset11
unsqueeze@torch.onnx._internal.torchscript_exporter.symbolic_opset11
vstack@torch.onnx._internal.torchscript_exporter.symbolic_opset11""",
    "torch.onnx.symbolic_opset12": """argmax@torch.onnx._internal.torchscript_exporter.symbolic_opset12
argmin@torch.onnx._internal.torchscript_exporter.symbolic_opset12
binary_cross_entropy_with_logits@torch.onnx._internal.torchscript_exporter.symbolic_opset12
celu@torch.onnx._internal.torchscript_exporter.symbolic_opset12
cross_entropy_loss@torch.onnx._internal.torchscript_exporter.symbolic_opset12
dropout@torch.onnx._internal.torchscript_exporter.symbolic_opset12
einsum@torch.onnx._internal.torchscript_exporter.symbolic_opset12
ge@torch.onnx._internal.torchscript_exporter.symbolic_opset12
le@torch.onnx._internal.torchscript_exporter.symbolic_opset12
native_dropout@torch.onnx._internal.torchscript_exporter.symbolic_opset12
nll_loss2d@torch.onnx._internal.torchscript_exporter.symbolic_opset12
nll_loss@torch.onnx._internal.torchscript_exporter.symbolic_opset12
nll_loss_nd@torch.onnx._internal.torchscript_exporter.symbolic_opset12
outer@torch.onnx._internal.torchscript_exporter.symbolic_opset12
pow@torch.onnx._internal.torchscript_exporter.symbolic_opset12
tensordot@torch.onnx._internal.torchscript_exporter.symbolic_opset12
unfold@torch.onnx._internal.torchscript_exporter.symbolic_opset12""",
    "torch.onnx.symbolic_opset13": """diagonal@torch.onnx._internal.torchscript_exporter.symbolic_opset13
fake_quantize_per_channel_affine@torch.onnx._internal.torchscript_exporter.symbolic_opset13
fake_quantize_per_tensor_affine@torch.onnx._internal.torchscript_exporter.symbolic_opset13
frobenius_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset13
log_softmax@torch.onnx._internal.torchscript_exporter.symbolic_opset13
nonzero_numpy@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv1d@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv1d_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv2d@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv2d_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv3d@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv3d_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv_transpose1d@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv_transpose2d@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_conv_transpose3d@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_linear@torch.onnx._internal.torchscript_exporter.symbolic_opset13
quantized_linear_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset13
repeat_interleave@torch.onnx._internal.torchscript_exporter.symbolic_opset13
softmax@torch.onnx._internal.torchscript_exporter.symbolic_opset13
split@torch.onnx._internal.torchscript_exporter.symbolic_opset13
split_with_sizes@torch.onnx._internal.torchscript_exporter.symbolic_opset13
tensor_split@torch.onnx._internal.torchscript_exporter.symbolic_opset13
tile@torch.onnx._internal.torchscript_exporter.symbolic_opset13
unbind@torch.onnx._internal.torchscript_exporter.symbolic_opset13
unflatten@torch.onnx._internal.torchscript_exporter.symbolic_opset13
unsafe_chunk@torch.onnx._internal.torchscript_exporter.symbolic_opset13
unsafe_split@torch.onnx._internal.torchscript_exporter.symbolic_opset13
unsafe_split_with_sizes@torch.onnx._internal.torchscript_exporter.symbolic_opset13
where@torch.onnx._internal.torchscript_exporter.symbolic_opset13""",
    "torch.onnx.symbolic_opset14": """batch_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset14
hardswish@torch.onnx._internal.torchscript_exporter.symbolic_opset14
quantized_hardswish@torch.onnx._internal.torchscript_exporter.symbolic_opset14
reshape@torch.onnx._internal.torchscript_exporter.symbolic_opset14
scaled_dot_product_attention@torch.onnx._internal.torchscript_exporter.symbolic_opset14
tril@torch.onnx._internal.torchscript_exporter.symbolic_opset14
triu@torch.onnx._internal.torchscript_exporter.symbolic_opset14""",
    "torch.onnx.symbolic_opset15": """aten__is_@torch.onnx._internal.torchscript_exporter.symbolic_opset15
aten__isnot_@torch.onnx._internal.torchscript_exporter.symbolic_opset15
bernoulli@torch.onnx._internal.torchscript_exporter.symbolic_opset15
prim_unchecked_cast@torch.onnx._internal.torchscript_exporter.symbolic_opset15""",
    "torch.onnx.symbolic_opset16": """grid_sampler@torch.onnx._internal.torchscript_exporter.symbolic_opset16
scatter_add@torch.onnx._internal.torchscript_exporter.symbolic_opset16
scatter_reduce@torch.onnx._internal.torchscript_exporter.symbolic_opset16""",
    "torch.onnx.symbolic_opset17": """layer_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset17
quantized_layer_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset17
stft@torch.onnx._internal.torchscript_exporter.symbolic_opset17""",
    "torch.onnx.symbolic_opset18": """col2im@torch.onnx._internal.torchscript_exporter.symbolic_opset18""",
    "torch.onnx.symbolic_opset20": """gelu@torch.onnx._internal.torchscript_exporter.symbolic_opset20""",
    "torch.onnx.symbolic_opset7": """max@torch.onnx._internal.torchscript_exporter.symbolic_opset7
min@torch.onnx._internal.torchscript_exporter.symbolic_opset7""",
    "torch.onnx.symbolic_opset8": """addmm@torch.onnx._internal.torchscript_exporter.symbolic_opset8
bmm@torch.onnx._internal.torchscript_exporter.symbolic_opset8
empty@torch.onnx._internal.torchscript_exporter.symbolic_opset8
empty_like@torch.onnx._internal.torchscript_exporter.symbolic_opset8
flatten@torch.onnx._internal.torchscript_exporter.symbolic_opset8
full@torch.onnx._internal.torchscript_exporter.symbolic_opset8
full_like@torch.onnx._internal.torchscript_exporter.symbolic_opset8
gt@torch.onnx._internal.torchscript_exporter.symbolic_opset8
lt@torch.onnx._internal.torchscript_exporter.symbolic_opset8
matmul@torch.onnx._internal.torchscript_exporter.symbolic_opset8
mm@torch.onnx._internal.torchscript_exporter.symbolic_opset8
ones@torch.onnx._internal.torchscript_exporter.symbolic_opset8
ones_like@torch.onnx._internal.torchscript_exporter.symbolic_opset8
prelu@torch.onnx._internal.torchscript_exporter.symbolic_opset8
repeat@torch.onnx._internal.torchscript_exporter.symbolic_opset8
zeros@torch.onnx._internal.torchscript_exporter.symbolic_opset8
zeros_like@torch.onnx._internal.torchscript_exporter.symbolic_opset8""",
    "torch.onnx.symbolic_opset9": """abs@torch.onnx._internal.torchscript_exporter.symbolic_opset9
acos@torch.onnx._internal.torchscript_exporter.symbolic_opset9 adaptive_avg_pool1d adaptive_avg_pool2d
adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d
add@torch.onnx._internal.torchscript_exporter.symbolic_opset9
addcmul@torch.onnx._internal.torchscript_exporter.symbolic_opset9
addmm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
alias@torch.onnx._internal.torchscript_exporter.symbolic_opset9
amax@torch.onnx._internal.torchscript_exporter.symbolic_opset9
amin@torch.onnx._internal.torchscript_exporter.symbolic_opset9
aminmax@torch.onnx._internal.torchscript_exporter.symbolic_opset9
arange@torch.onnx._internal.torchscript_exporter.symbolic_opset9
argmax@torch.onnx._internal.torchscript_exporter.symbolic_opset9
argmin@torch.onnx._internal.torchscript_exporter.symbolic_opset9
as_strided@torch.onnx._internal.torchscript_exporter.symbolic_opset9
as_tensor@torch.onnx._internal.torchscript_exporter.symbolic_opset9
asin@torch.onnx._internal.torchscript_exporter.symbolic_opset9
atan2@torch.onnx._internal.torchscript_exporter.symbolic_opset9
atan@torch.onnx._internal.torchscript_exporter.symbolic_opset9 avg_pool1d avg_pool2d avg_pool3d
baddbmm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
batch_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
bernoulli@torch.onnx._internal.torchscript_exporter.symbolic_opset9
bitwise_not@torch.onnx._internal.torchscript_exporter.symbolic_opset9
bitwise_or@torch.onnx._internal.torchscript_exporter.symbolic_opset9
bmm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
broadcast_tensors@torch.onnx._internal.torchscript_exporter.symbolic_opset9
broadcast_to@torch.onnx._internal.torchscript_exporter.symbolic_opset9
bucketize@torch.onnx._internal.torchscript_exporter.symbolic_opset9
cat@torch.onnx._internal.torchscript_exporter.symbolic_opset9
cdist@torch.onnx._internal.torchscript_exporter.symbolic_opset9
ceil@torch.onnx._internal.torchscript_exporter.symbolic_opset9
clamp@torch.onnx._internal.torchscript_exporter.symbolic_opset9
clamp_max@torch.onnx._internal.torchscript_exporter.symbolic_opset9
clamp_min@torch.onnx._internal.torchscript_exporter.symbolic_opset9
clone@torch.onnx._internal.torchscript_exporter.symbolic_opset9
constant_pad_nd@torch.onnx._internal.torchscript_exporter.symbolic_opset9
contiguous@torch.onnx._internal.torchscript_exporter.symbolic_opset9
conv1d@torch.onnx._internal.torchscript_exporter.symbolic_opset9
conv2d@torch.onnx._internal.torchscript_exporter.symbolic_opset9
conv3d@torch.onnx._internal.torchscript_exporter.symbolic_opset9
conv_tbc@torch.onnx._internal.torchscript_exporter.symbolic_opset9
conv_transpose1d@torch.onnx._internal.torchscript_exporter.symbolic_opset9
conv_transpose2d@torch.onnx._internal.torchscript_exporter.symbolic_opset9
conv_transpose3d@torch.onnx._internal.torchscript_exporter.symbolic_opset9
convert_element_type@torch.onnx._internal.torchscript_exporter.symbolic_opset9
convolution@torch.onnx._internal.torchscript_exporter.symbolic_opset9
cos@torch.onnx._internal.torchscript_exporter.symbolic_opset9
cosine_similarity@torch.onnx._internal.torchscript_exporter.symbolic_opset9
cross@torch.onnx._internal.torchscript_exporter.symbolic_opset9
cumsum@torch.onnx._internal.torchscript_exporter.symbolic_opset9
detach@torch.onnx._internal.torchscript_exporter.symbolic_opset9
dim@torch.onnx._internal.torchscript_exporter.symbolic_opset9
div@torch.onnx._internal.torchscript_exporter.symbolic_opset9
dot@torch.onnx._internal.torchscript_exporter.symbolic_opset9
dropout@torch.onnx._internal.torchscript_exporter.symbolic_opset9
elu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
embedding@torch.onnx._internal.torchscript_exporter.symbolic_opset9
embedding_bag@torch.onnx._internal.torchscript_exporter.symbolic_opset9
empty@torch.onnx._internal.torchscript_exporter.symbolic_opset9
empty_like@torch.onnx._internal.torchscript_exporter.symbolic_opset9
eq@torch.onnx._internal.torchscript_exporter.symbolic_opset9
erf@torch.onnx._internal.torchscript_exporter.symbolic_opset9
exp@torch.onnx._internal.torchscript_exporter.symbolic_opset9
expand@torch.onnx._internal.torchscript_exporter.symbolic_opset9
expand_as@torch.onnx._internal.torchscript_exporter.symbolic_opset9
eye@torch.onnx._internal.torchscript_exporter.symbolic_opset9
fill@torch.onnx._internal.torchscript_exporter.symbolic_opset9
flatten@torch.onnx._internal.torchscript_exporter.symbolic_opset9
floor@torch.onnx._internal.torchscript_exporter.symbolic_opset9
floor_divide@torch.onnx._internal.torchscript_exporter.symbolic_opset9
floordiv@torch.onnx._internal.torchscript_exporter.symbolic_opset9
frobenius_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
full@torch.onnx._internal.torchscript_exporter.symbolic_opset9
full_like@torch.onnx._internal.torchscript_exporter.symbolic_opset9
gather@torch.onnx._internal.torchscript_exporter.symbolic_opset9
ge@torch.onnx._internal.torchscript_exporter.symbolic_opset9
gelu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
get_pool_ceil_padding@torch.onnx._internal.torchscript_exporter.symbolic_opset9
glu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
group_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9 gru
gt@torch.onnx._internal.torchscript_exporter.symbolic_opset9
hann_window@torch.onnx._internal.torchscript_exporter.symbolic_opset9
hardshrink@torch.onnx._internal.torchscript_exporter.symbolic_opset9
hardsigmoid@torch.onnx._internal.torchscript_exporter.symbolic_opset9
hardswish@torch.onnx._internal.torchscript_exporter.symbolic_opset9
hardtanh@torch.onnx._internal.torchscript_exporter.symbolic_opset9
index@torch.onnx._internal.torchscript_exporter.symbolic_opset9
index_add@torch.onnx._internal.torchscript_exporter.symbolic_opset9
index_copy@torch.onnx._internal.torchscript_exporter.symbolic_opset9
index_fill@torch.onnx._internal.torchscript_exporter.symbolic_opset9
index_put@torch.onnx._internal.torchscript_exporter.symbolic_opset9
index_select@torch.onnx._internal.torchscript_exporter.symbolic_opset9
instance_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
is_floating_point@torch.onnx._internal.torchscript_exporter.symbolic_opset9
is_pinned@torch.onnx._internal.torchscript_exporter.symbolic_opset9
isnan@torch.onnx._internal.torchscript_exporter.symbolic_opset9
item@torch.onnx._internal.torchscript_exporter.symbolic_opset9
kl_div@torch.onnx._internal.torchscript_exporter.symbolic_opset9
layer_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
le@torch.onnx._internal.torchscript_exporter.symbolic_opset9
leaky_relu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
lerp@torch.onnx._internal.torchscript_exporter.symbolic_opset9
lift@torch.onnx._internal.torchscript_exporter.symbolic_opset9
linalg_cross@torch.onnx._internal.torchscript_exporter.symbolic_opset9
linalg_matrix_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
linalg_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
linalg_vector_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
linear@torch.onnx._internal.torchscript_exporter.symbolic_opset9
linspace@torch.onnx._internal.torchscript_exporter.symbolic_opset9
log10@torch.onnx._internal.torchscript_exporter.symbolic_opset9
log1p@torch.onnx._internal.torchscript_exporter.symbolic_opset9
log2@torch.onnx._internal.torchscript_exporter.symbolic_opset9
log@torch.onnx._internal.torchscript_exporter.symbolic_opset9
log_sigmoid@torch.onnx._internal.torchscript_exporter.symbolic_opset9
log_softmax@torch.onnx._internal.torchscript_exporter.symbolic_opset9
logical_and@torch.onnx._internal.torchscript_exporter.symbolic_opset9
logical_not@torch.onnx._internal.torchscript_exporter.symbolic_opset9
logical_or@torch.onnx._internal.torchscript_exporter.symbolic_opset9
logical_xor@torch.onnx._internal.torchscript_exporter.symbolic_opset9
logit@torch.onnx._internal.torchscript_exporter.symbolic_opset9
logsumexp@torch.onnx._internal.torchscript_exporter.symbolic_opset9
lstm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
lstm_cell@torch.onnx._internal.torchscript_exporter.symbolic_opset9
lt@torch.onnx._internal.torchscript_exporter.symbolic_opset9
masked_fill@torch.onnx._internal.torchscript_exporter.symbolic_opset9
masked_fill_@torch.onnx._internal.torchscript_exporter.symbolic_opset9
matmul@torch.onnx._internal.torchscript_exporter.symbolic_opset9
max@torch.onnx._internal.torchscript_exporter.symbolic_opset9 max_pool1d max_pool1d_with_indices max_pool2d
max_pool2d_with_indices max_pool3d max_pool3d_with_indices
maximum@torch.onnx._internal.torchscript_exporter.symbolic_opset9
meshgrid@torch.onnx._internal.torchscript_exporter.symbolic_opset9
min@torch.onnx._internal.torchscript_exporter.symbolic_opset9
minimum@torch.onnx._internal.torchscript_exporter.symbolic_opset9
mish@torch.onnx._internal.torchscript_exporter.symbolic_opset9
mm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
movedim@torch.onnx._internal.torchscript_exporter.symbolic_opset9
mse_loss@torch.onnx._internal.torchscript_exporter.symbolic_opset9
mul@torch.onnx._internal.torchscript_exporter.symbolic_opset9
multinomial@torch.onnx._internal.torchscript_exporter.symbolic_opset9
mv@torch.onnx._internal.torchscript_exporter.symbolic_opset9
narrow@torch.onnx._internal.torchscript_exporter.symbolic_opset9
native_layer_norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
ne@torch.onnx._internal.torchscript_exporter.symbolic_opset9
neg@torch.onnx._internal.torchscript_exporter.symbolic_opset9
new_empty@torch.onnx._internal.torchscript_exporter.symbolic_opset9
new_full@torch.onnx._internal.torchscript_exporter.symbolic_opset9
new_ones@torch.onnx._internal.torchscript_exporter.symbolic_opset9
new_zeros@torch.onnx._internal.torchscript_exporter.symbolic_opset9
nonzero@torch.onnx._internal.torchscript_exporter.symbolic_opset9
nonzero_numpy@torch.onnx._internal.torchscript_exporter.symbolic_opset9
noop_complex_operators@torch.onnx._internal.torchscript_exporter.symbolic_opset9
norm@torch.onnx._internal.torchscript_exporter.symbolic_opset9
numel@torch.onnx._internal.torchscript_exporter.symbolic_opset9
numpy_T@torch.onnx._internal.torchscript_exporter.symbolic_opset9
one_hot@torch.onnx._internal.torchscript_exporter.symbolic_opset9
ones@torch.onnx._internal.torchscript_exporter.symbolic_opset9
ones_like@torch.onnx._internal.torchscript_exporter.symbolic_opset9
onnx_placeholder@torch.onnx._internal.torchscript_exporter.symbolic_opset9
pad@torch.onnx._internal.torchscript_exporter.symbolic_opset9
pairwise_distance@torch.onnx._internal.torchscript_exporter.symbolic_opset9
permute@torch.onnx._internal.torchscript_exporter.symbolic_opset9
pixel_shuffle@torch.onnx._internal.torchscript_exporter.symbolic_opset9
pixel_unshuffle@torch.onnx._internal.torchscript_exporter.symbolic_opset9
pow@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prelu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_constant@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_constant_chunk@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_constant_split@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_data@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_device@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_dtype@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_if@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_layout@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_list_construct@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_list_unpack@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_loop@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_max@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_min@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_shape@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_tolist@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_tuple_construct@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_type@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_unchecked_cast@torch.onnx._internal.torchscript_exporter.symbolic_opset9
prim_uninitialized@torch.onnx._internal.torchscript_exporter.symbolic_opset9
rand@torch.onnx._internal.torchscript_exporter.symbolic_opset9
rand_like@torch.onnx._internal.torchscript_exporter.symbolic_opset9
randint@torch.onnx._internal.torchscript_exporter.symbolic_opset9
randint_like@torch.onnx._internal.torchscript_exporter.symbolic_opset9
randn@torch.onnx._internal.torchscript_exporter.symbolic_opset9
randn_like@torch.onnx._internal.torchscript_exporter.symbolic_opset9
reciprocal@torch.onnx._internal.torchscript_exporter.symbolic_opset9
reflection_pad@torch.onnx._internal.torchscript_exporter.symbolic_opset9
relu6@torch.onnx._internal.torchscript_exporter.symbolic_opset9
relu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
remainder@torch.onnx._internal.torchscript_exporter.symbolic_opset9
repeat@torch.onnx._internal.torchscript_exporter.symbolic_opset9
repeat_interleave@torch.onnx._internal.torchscript_exporter.symbolic_opset9
replication_pad@torch.onnx._internal.torchscript_exporter.symbolic_opset9
reshape@torch.onnx._internal.torchscript_exporter.symbolic_opset9
reshape_as@torch.onnx._internal.torchscript_exporter.symbolic_opset9 rnn_relu rnn_tanh
roll@torch.onnx._internal.torchscript_exporter.symbolic_opset9
rrelu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
rsqrt@torch.onnx._internal.torchscript_exporter.symbolic_opset9
rsub@torch.onnx._internal.torchscript_exporter.symbolic_opset9
scalar_tensor@torch.onnx._internal.torchscript_exporter.symbolic_opset9
scatter@torch.onnx._internal.torchscript_exporter.symbolic_opset9
scatter_add@torch.onnx._internal.torchscript_exporter.symbolic_opset9
select@torch.onnx._internal.torchscript_exporter.symbolic_opset9
selu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
sigmoid@torch.onnx._internal.torchscript_exporter.symbolic_opset9
sign@torch.onnx._internal.torchscript_exporter.symbolic_opset9
silu@torch.onnx._internal.torchscript_exporter.symbolic_opset9
sin@torch.onnx._internal.torchscript_exporter.symbolic_opset9
size@torch.onnx._internal.torchscript_exporter.symbolic_opset9
slice@torch.onnx._internal.torchscript_exporter.symbolic_opset9
softmax@torch.onnx._internal.torchscript_exporter.symbolic_opset9
softplus@torch.onnx._internal.torchscript_exporter.symbolic_opset9
softshrink@torch.onnx._internal.torchscript_exporter.symbolic_opset9
sort@torch.onnx._internal.torchscript_exporter.symbolic_opset9
split@torch.onnx._internal.torchscript_exporter.symbolic_opset9
split_with_sizes@torch.onnx._internal.torchscript_exporter.symbolic_opset9
sqrt@torch.onnx._internal.torchscript_exporter.symbolic_opset9
square@torch.onnx._internal.torchscript_exporter.symbolic_opset9
squeeze@torch.onnx._internal.torchscript_exporter.symbolic_opset9
stack@torch.onnx._internal.torchscript_exporter.symbolic_opset9
std@torch.onnx._internal.torchscript_exporter.symbolic_opset9
std_mean@torch.onnx._internal.torchscript_exporter.symbolic_opset9
sub@torch.onnx._internal.torchscript_exporter.symbolic_opset9
t@torch.onnx._internal.torchscript_exporter.symbolic_opset9
take@torch.onnx._internal.torchscript_exporter.symbolic_opset9
tan@torch.onnx._internal.torchscript_exporter.symbolic_opset9
tanh@torch.onnx._internal.torchscript_exporter.symbolic_opset9
tanhshrink@torch.onnx._internal.torchscript_exporter.symbolic_opset9
tensor@torch.onnx._internal.torchscript_exporter.symbolic_opset9
threshold@torch.onnx._internal.torchscript_exporter.symbolic_opset9
to@torch.onnx._internal.torchscript_exporter.symbolic_opset9
topk@torch.onnx._internal.torchscript_exporter.symbolic_opset9
transpose@torch.onnx._internal.torchscript_exporter.symbolic_opset9
true_divide@torch.onnx._internal.torchscript_exporter.symbolic_opset9
type_as@torch.onnx._internal.torchscript_exporter.symbolic_opset9
unbind@torch.onnx._internal.torchscript_exporter.symbolic_opset9
unfold@torch.onnx._internal.torchscript_exporter.symbolic_opset9
unsafe_chunk@torch.onnx._internal.torchscript_exporter.symbolic_opset9
unsafe_split@torch.onnx._internal.torchscript_exporter.symbolic_opset9
unsafe_split_with_sizes@torch.onnx._internal.torchscript_exporter.symbolic_opset9
unsqueeze@torch.onnx._internal.torchscript_exporter.symbolic_opset9
unsupported_complex_operators@torch.onnx._internal.torchscript_exporter.symbolic_opset9
unused@torch.onnx._internal.torchscript_exporter.symbolic_opset9 upsample_bilinear2d upsample_linear1d
upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_trilinear3d
var@torch.onnx._internal.torchscript_exporter.symbolic_opset9
var_mean@torch.onnx._internal.torchscript_exporter.symbolic_opset9
view@torch.onnx._internal.torchscript_exporter.symbolic_opset9
view_as@torch.onnx._internal.torchscript_exporter.symbolic_opset9
where@torch.onnx._internal.torchscript_exporter.symbolic_opset9
wrap_logical_op_with_cast_to@torch.onnx._internal.torchscript_exporter.symbolic_opset9
wrap_logical_op_with_negation@torch.onnx._internal.torchscript_exporter.symbolic_opset9
zero@torch.onnx._internal.torchscript_exporter.symbolic_opset9
zeros@torch.onnx._internal.torchscript_exporter.symbolic_opset9
zeros_like@torch.onnx._internal.torchscript_exporter.symbolic_opset9""",
    "torch.onnx.testing": """assert_onnx_program""",
    "torch.onnx.utils": """disable_apex_o2_state_dict_hook@torch.onnx._internal.torchscript_exporter.utils
export@torch.onnx._internal.torchscript_exporter.utils
exporter_context@torch.onnx._internal.torchscript_exporter.utils
model_signature@torch.onnx._internal.torchscript_exporter.utils
register_custom_op_symbolic@torch.onnx._internal.torchscript_exporter.utils
select_model_mode_for_export@torch.onnx._internal.torchscript_exporter.utils
setup_onnx_logging@torch.onnx._internal.torchscript_exporter.utils
unconvertible_ops@torch.onnx._internal.torchscript_exporter.utils
unpack_quantized_tensor@torch.onnx._internal.torchscript_exporter.utils
unregister_custom_op_symbolic@torch.onnx._internal.torchscript_exporter.utils
warn_on_static_input_change@torch.onnx._internal.torchscript_exporter.utils""",
    "torch.onnx.verification": """+VerificationInfo verify_onnx_program""",
    "torch.quantization": """+DeQuantStub@torch.ao.quantization.stubs +FakeQuantize@torch.ao.quantization.fake_quantize
+FakeQuantizeBase@torch.ao.quantization.fake_quantize
+FixedQParamsFakeQuantize@torch.ao.quantization.fake_quantize
+FusedMovingAvgObsFakeQuantize@torch.ao.quantization.fake_quantize
+HistogramObserver@torch.ao.quantization.observer +MinMaxObserver@torch.ao.quantization.observer
+MovingAverageMinMaxObserver@torch.ao.quantization.observer
+MovingAveragePerChannelMinMaxObserver@torch.ao.quantization.observer
+NoopObserver@torch.ao.quantization.observer +ObserverBase@torch.ao.quantization.observer
+PerChannelMinMaxObserver@torch.ao.quantization.observer +PlaceholderObserver@torch.ao.quantization.observer
+QConfig@torch.ao.quantization.qconfig +QConfigDynamic@torch.ao.quantization.qconfig
+QuantStub@torch.ao.quantization.stubs +QuantType@torch.ao.quantization.quant_type
+QuantWrapper@torch.ao.quantization.stubs +RecordingObserver@torch.ao.quantization.observer
+default_debug_observer:Module +default_placeholder_observer:Module QConfigAny
add_quant_dequant@torch.ao.quantization.quantize convert@torch.ao.quantization.quantize
convert_dynamic_jit@torch.ao.quantization.quantize_jit convert_jit@torch.ao.quantization.quantize_jit
default_dynamic_quant_observer default_eval_fn default_fake_quant
default_fixed_qparams_range_0to1_fake_quant default_fixed_qparams_range_neg1to1_fake_quant
default_float_qparams_observer default_fused_act_fake_quant default_fused_per_channel_wt_fake_quant
default_fused_wt_fake_quant default_histogram_fake_quant default_histogram_observer default_observer
default_per_channel_weight_fake_quant default_per_channel_weight_observer default_weight_fake_quant
default_weight_observer disable_fake_quant@torch.ao.quantization.fake_quantize
disable_observer@torch.ao.quantization.fake_quantize enable_fake_quant@torch.ao.quantization.fake_quantize
enable_observer@torch.ao.quantization.fake_quantize fuse_conv_bn@torch.ao.quantization.fuser_method_mappings
fuse_conv_bn_jit@torch.ao.quantization.quantize_jit
fuse_conv_bn_relu@torch.ao.quantization.fuser_method_mappings
fuse_linear_bn@torch.ao.quantization.fuser_method_mappings fuse_modules@torch.ao.quantization.fuse_modules
get_default_compare_output_module_list@torch.ao.quantization.quantization_mappings
get_default_dynamic_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_default_float_to_quantized_operator_mappings@torch.ao.quantization.quantization_mappings
get_default_qat_module_mappings@torch.ao.quantization.quantization_mappings
get_default_qat_qconfig@torch.ao.quantization.qconfig get_default_qconfig@torch.ao.quantization.qconfig
get_default_qconfig_propagation_list@torch.ao.quantization.quantization_mappings
get_default_static_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_dynamic_quant_module_class@torch.ao.quantization.quantization_mappings
get_fuser_method@torch.ao.quantization.fuser_method_mappings
get_observer_state_dict@torch.ao.quantization.observer
get_quantized_operator@torch.ao.quantization.quantization_mappings
get_static_quant_module_class@torch.ao.quantization.quantization_mappings
load_observer_state_dict@torch.ao.quantization.observer
no_observer_set@torch.ao.quantization.quantization_mappings prepare@torch.ao.quantization.quantize
prepare_dynamic_jit@torch.ao.quantization.quantize_jit prepare_jit@torch.ao.quantization.quantize_jit
prepare_qat@torch.ao.quantization.quantize propagate_qconfig_@torch.ao.quantization.quantize
qconfig_equals@torch.ao.quantization.qconfig quantize@torch.ao.quantization.quantize
quantize_dynamic@torch.ao.quantization.quantize quantize_dynamic_jit@torch.ao.quantization.quantize_jit
quantize_jit@torch.ao.quantization.quantize_jit quantize_qat@torch.ao.quantization.quantize
script_qconfig@torch.ao.quantization.quantize_jit script_qconfig_dict@torch.ao.quantization.quantize_jit
swap_module@torch.ao.quantization.quantize""",
    "torch.quantization.fake_quantize": """+FakeQuantize@torch.ao.quantization.fake_quantize +FakeQuantizeBase@torch.ao.quantization.fake_quantize
+FixedQParamsFakeQuantize@torch.ao.quantization.fake_quantize
+FusedMovingAvgObsFakeQuantize@torch.ao.quantization.fake_quantize default_fake_quant
default_fixed_qparams_range_0to1_fake_quant default_fixed_qparams_range_neg1to1_fake_quant
default_fused_act_fake_quant default_fused_per_channel_wt_fake_quant default_fused_wt_fake_quant
default_histogram_fake_quant default_per_channel_weight_fake_quant default_weight_fake_quant
disable_fake_quant@torch.ao.quantization.fake_quantize disable_observer@torch.ao.quantization.fake_quantize
enable_fake_quant@torch.ao.quantization.fake_quantize enable_observer@torch.ao.quantization.fake_quantize""",
    "torch.quantization.fuse_modules": """fuse_conv_bn@torch.ao.quantization.fuser_method_mappings
fuse_conv_bn_relu@torch.ao.quantization.fuser_method_mappings
fuse_known_modules@torch.ao.quantization.fuse_modules fuse_modules@torch.ao.quantization.fuse_modules
get_fuser_method@torch.ao.quantization.fuser_method_mappings""",
    "torch.quantization.fuser_method_mappings": """fuse_conv_bn@torch.ao.quantization.fuser_method_mappings
fuse_conv_bn_relu@torch.ao.quantization.fuser_method_mappings
fuse_linear_bn@torch.ao.quantization.fuser_method_mappings
get_fuser_method@torch.ao.quantization.fuser_method_mappings""",
    "torch.quantization.fx": "",
    "torch.quantization.fx.convert": """convert@torch.ao.quantization.fx.convert""",
    "torch.quantization.fx.fuse": """fuse@torch.ao.quantization.fx.fuse""",
    "torch.quantization.fx.fusion_patterns": """+DefaultFuseHandler@torch.ao.quantization.fx.fuse_handler +FuseHandler@torch.ao.quantization.fx.fuse_handler""",
    "torch.quantization.fx.graph_module": """+FusedGraphModule@torch.ao.quantization.fx.graph_module
+ObservedGraphModule@torch.ao.quantization.fx.graph_module
+ObservedStandaloneGraphModule@torch.ao.quantization.fx.graph_module
+QuantizedGraphModule@torch.ao.quantization.fx.graph_module""",
    "torch.quantization.fx.match_utils": """+MatchAllNode@torch.ao.quantization.utils""",
    "torch.quantization.fx.pattern_utils": """get_default_fusion_patterns@torch.ao.quantization.fx.pattern_utils
get_default_output_activation_post_process_map@torch.ao.quantization.fx.pattern_utils
get_default_quant_patterns@torch.ao.quantization.fx.pattern_utils""",
    "torch.quantization.fx.prepare": """prepare@torch.ao.quantization.fx.prepare""",
    "torch.quantization.fx.quantization_patterns": """+BatchNormQuantizeHandler +BinaryOpQuantizeHandler +CatQuantizeHandler +ConvReluQuantizeHandler
+CopyNodeQuantizeHandler +CustomModuleQuantizeHandler +DefaultNodeQuantizeHandler +EmbeddingQuantizeHandler
+FixedQParamsOpQuantizeHandler +GeneralTensorShapeOpQuantizeHandler +LinearReLUQuantizeHandler
+QuantizeHandler +RNNDynamicQuantizeHandler +StandaloneModuleQuantizeHandler""",
    "torch.quantization.fx.quantization_types": """Pattern""",
    "torch.quantization.fx.utils": """all_node_args_have_no_tensors@torch.ao.quantization.fx.utils
assert_and_get_unique_device@torch.ao.quantization.fx.utils
create_getattr_from_value@torch.ao.quantization.fx.utils
get_custom_module_class_keys@torch.ao.quantization.fx.utils
get_linear_prepack_op_for_dtype@torch.ao.quantization.fx.utils
get_new_attr_name_with_prefix@torch.ao.quantization.fx.utils
get_non_observable_arg_indexes_and_types@torch.ao.quantization.fx.utils
get_qconv_prepack_op@torch.ao.quantization.fx.utils
graph_module_from_producer_nodes@torch.ao.quantization.fx.utils
maybe_get_next_module@torch.ao.quantization.fx.utils""",
    "torch.quantization.observer": """+HistogramObserver@torch.ao.quantization.observer +MinMaxObserver@torch.ao.quantization.observer
+MovingAverageMinMaxObserver@torch.ao.quantization.observer
+MovingAveragePerChannelMinMaxObserver@torch.ao.quantization.observer
+NoopObserver@torch.ao.quantization.observer +ObserverBase@torch.ao.quantization.observer
+PerChannelMinMaxObserver@torch.ao.quantization.observer +PlaceholderObserver@torch.ao.quantization.observer
+RecordingObserver@torch.ao.quantization.observer +default_debug_observer:Module
+default_placeholder_observer:Module default_dynamic_quant_observer default_float_qparams_observer
default_histogram_observer default_observer default_per_channel_weight_observer default_weight_observer
get_observer_state_dict@torch.ao.quantization.observer
load_observer_state_dict@torch.ao.quantization.observer""",
    "torch.quantization.qconfig": """+QConfig@torch.ao.quantization.qconfig +QConfigDynamic@torch.ao.quantization.qconfig QConfigAny
get_default_qat_qconfig@torch.ao.quantization.qconfig get_default_qconfig@torch.ao.quantization.qconfig
qconfig_equals@torch.ao.quantization.qconfig""",
    "torch.quantization.quant_type": """+QuantType@torch.ao.quantization.quant_type""",
    "torch.quantization.quantization_mappings": """get_default_compare_output_module_list@torch.ao.quantization.quantization_mappings
get_default_dynamic_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_default_float_to_quantized_operator_mappings@torch.ao.quantization.quantization_mappings
get_default_qat_module_mappings@torch.ao.quantization.quantization_mappings
get_default_qconfig_propagation_list@torch.ao.quantization.quantization_mappings
get_default_static_quant_module_mappings@torch.ao.quantization.quantization_mappings
get_dynamic_quant_module_class@torch.ao.quantization.quantization_mappings
get_quantized_operator@torch.ao.quantization.quantization_mappings
get_static_quant_module_class@torch.ao.quantization.quantization_mappings
no_observer_set@torch.ao.quantization.quantization_mappings""",
    "torch.quantization.quantize": """add_quant_dequant@torch.ao.quantization.quantize convert@torch.ao.quantization.quantize
prepare@torch.ao.quantization.quantize prepare_qat@torch.ao.quantization.quantize
propagate_qconfig_@torch.ao.quantization.quantize quantize@torch.ao.quantization.quantize
quantize_dynamic@torch.ao.quantization.quantize quantize_qat@torch.ao.quantization.quantize
swap_module@torch.ao.quantization.quantize""",
    "torch.quantization.quantize_fx": """+ObservedGraphModule@torch.ao.quantization.fx.graph_module
+QuantizationTracer@torch.ao.quantization.fx.tracer +ScopeContextManager@torch.ao.quantization.fx.tracer
convert_fx@torch.ao.quantization.quantize_fx fuse_fx@torch.ao.quantization.quantize_fx
prepare_fx@torch.ao.quantization.quantize_fx prepare_qat_fx@torch.ao.quantization.quantize_fx""",
    "torch.quantization.quantize_jit": """convert_dynamic_jit@torch.ao.quantization.quantize_jit convert_jit@torch.ao.quantization.quantize_jit
fuse_conv_bn_jit@torch.ao.quantization.quantize_jit prepare_dynamic_jit@torch.ao.quantization.quantize_jit
prepare_jit@torch.ao.quantization.quantize_jit quantize_dynamic_jit@torch.ao.quantization.quantize_jit
quantize_jit@torch.ao.quantization.quantize_jit script_qconfig@torch.ao.quantization.quantize_jit
script_qconfig_dict@torch.ao.quantization.quantize_jit""",
    "torch.quantization.stubs": """+DeQuantStub@torch.ao.quantization.stubs +QuantStub@torch.ao.quantization.stubs
+QuantWrapper@torch.ao.quantization.stubs""",
    "torch.quantization.utils": """activation_dtype@torch.ao.quantization.utils activation_is_int8_quantized@torch.ao.quantization.utils
activation_is_statically_quantized@torch.ao.quantization.utils
calculate_qmin_qmax@torch.ao.quantization.utils check_min_max_valid@torch.ao.quantization.utils
get_combined_dict@torch.ao.quantization.utils get_qconfig_dtypes@torch.ao.quantization.utils
get_qparam_dict@torch.ao.quantization.utils get_quant_type@torch.ao.quantization.utils
get_swapped_custom_module_class@torch.ao.quantization.utils getattr_from_fqn@torch.ao.quantization.utils
is_per_channel@torch.ao.quantization.utils is_per_tensor@torch.ao.quantization.utils
weight_dtype@torch.ao.quantization.utils weight_is_quantized@torch.ao.quantization.utils
weight_is_statically_quantized@torch.ao.quantization.utils""",
    "torch.sparse": """+SparseSemiStructuredTensor@torch.sparse.semi_structured
+SparseSemiStructuredTensorCUSPARSELT@torch.sparse.semi_structured
+SparseSemiStructuredTensorCUTLASS@torch.sparse.semi_structured
to_sparse_semi_structured@torch.sparse.semi_structured""",
    "torch.sparse._semi_structured_conversions": """sparse_semi_structured_from_dense_cutlass sparse_semi_structured_to_dense_cutlass""",
    "torch.sparse._semi_structured_ops": """fallback_dispatcher semi_sparse_addmm semi_sparse_clone semi_sparse_detach semi_sparse_indices
semi_sparse_linear semi_sparse_mm semi_sparse_scaled_mm semi_sparse_t semi_sparse_to semi_sparse_to_copy
semi_sparse_values semi_sparse_view""",
    "torch.sparse.semi_structured": """+SparseSemiStructuredTensor:Tensor +SparseSemiStructuredTensorCUSPARSELT:Tensor
+SparseSemiStructuredTensorCUTLASS:Tensor fallback_dispatcher@torch.sparse._semi_structured_ops
semi_sparse_addmm@torch.sparse._semi_structured_ops semi_sparse_clone@torch.sparse._semi_structured_ops
semi_sparse_detach@torch.sparse._semi_structured_ops semi_sparse_indices@torch.sparse._semi_structured_ops
semi_sparse_linear@torch.sparse._semi_structured_ops semi_sparse_mm@torch.sparse._semi_structured_ops
semi_sparse_scaled_mm@torch.sparse._semi_structured_ops semi_sparse_t@torch.sparse._semi_structured_ops
semi_sparse_to@torch.sparse._semi_structured_ops semi_sparse_to_copy@torch.sparse._semi_structured_ops
semi_sparse_values@torch.sparse._semi_structured_ops semi_sparse_view@torch.sparse._semi_structured_ops
sparse_semi_structured_from_dense_cutlass@torch.sparse._semi_structured_conversions
sparse_semi_structured_to_dense_cutlass@torch.sparse._semi_structured_conversions to_sparse_semi_structured""",
    "torch.utils.hipify": "",
    "torch.utils.hipify.hipify_python": """+CurrentState{INITIALIZED=1,DONE=2} +GeneratedFileCleaner +HipifyResult +InputError:Exception +Trie
+bcolors add_dim3 compute_stats extract_arguments file_add_header file_specific_replacement find_bracket_group
find_closure_group find_parentheses_group fix_static_global_kernels get_hip_file_path hip_header_magic hipify
is_caffe2_gpu_file is_cusparse_file is_out_of_place is_pytorch_file is_special_file match_extensions
matched_files_iter openf preprocess_file_and_save_result preprocessor processKernelLaunches
replace_extern_shared replace_math_functions str2bool""",
    "torch.utils.mkldnn": """+MkldnnBatchNorm:Module +MkldnnConv1d:Module +MkldnnConv2d:Module +MkldnnConv3d:Module
+MkldnnLinear:Module +MkldnnPrelu:Module to_mkldnn""",
}
