"""The C API of PJRT as a table: its functions in their order, and the structs that they take.

Facts of `xla/pjrt/c/pjrt_c_api.h` (API 0.104) and of the extensions for layouts and shardings beside it. Structs only
ever grow at their end, and each says how large the caller knows it, so what is here serves older and newer callers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

API_VERSION = (0, 104)

_TYPES: dict[str, Any] = {
    "ptr": ctypes.c_void_p,
    "size": ctypes.c_size_t,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "u64": ctypes.c_uint64,
    "bool": ctypes.c_bool,
}

_FUNCTIONS = """
Error_Destroy  error
Error_Message  error message message_size:size
Error_GetCode  error code:i32
Plugin_Initialize
Plugin_Attributes  attributes num_attributes:size
Event_Destroy  event
Event_IsReady  event is_ready:bool
Event_Error  event
Event_Await  event
Event_OnReady  event callback user_arg
Client_Create  create_options num_options:size kv_get_callback kv_get_user_arg kv_put_callback kv_put_user_arg client
    kv_try_get_callback kv_try_get_user_arg
Client_Destroy  client
Client_PlatformName  client platform_name platform_name_size:size
Client_ProcessIndex  client process_index:i32
Client_PlatformVersion  client platform_version platform_version_size:size
Client_Devices  client devices num_devices:size
Client_AddressableDevices  client addressable_devices num_addressable_devices:size
Client_LookupDevice  client id:i32 device
Client_LookupAddressableDevice  client local_hardware_id:i32 addressable_device
Client_AddressableMemories  client addressable_memories num_addressable_memories:size
Client_Compile  client program compile_options compile_options_size:size executable
Client_DefaultDeviceAssignment  client num_replicas:i32 num_partitions:i32 default_assignment_size:size
    default_assignment
Client_BufferFromHostBuffer  client data type:i32 dims num_dims:size byte_strides num_byte_strides:size
    host_buffer_semantics:i32 device memory device_layout done_with_host_buffer buffer
DeviceDescription_Id  device_description id:i32
DeviceDescription_ProcessIndex  device_description process_index:i32
DeviceDescription_Attributes  device_description num_attributes:size attributes
DeviceDescription_Kind  device_description device_kind device_kind_size:size
DeviceDescription_DebugString  device_description debug_string debug_string_size:size
DeviceDescription_ToString  device_description to_string to_string_size:size
Device_GetDescription  device device_description
Device_IsAddressable  device is_addressable:bool
Device_LocalHardwareId  device local_hardware_id:i32
Device_AddressableMemories  device memories num_memories:size
Device_DefaultMemory  device memory
Device_MemoryStats  device bytes_in_use:i64 peak_bytes_in_use:i64 peak_bytes_in_use_is_set:bool num_allocs:i64
    num_allocs_is_set:bool largest_alloc_size:i64 largest_alloc_size_is_set:bool bytes_limit:i64
    bytes_limit_is_set:bool bytes_reserved:i64 bytes_reserved_is_set:bool peak_bytes_reserved:i64
    peak_bytes_reserved_is_set:bool bytes_reservable_limit:i64 bytes_reservable_limit_is_set:bool
    largest_free_block_bytes:i64 largest_free_block_bytes_is_set:bool pool_bytes:i64 pool_bytes_is_set:bool
    peak_pool_bytes:i64 peak_pool_bytes_is_set:bool
Memory_Id  memory id:i32
Memory_Kind  memory kind kind_size:size
Memory_DebugString  memory debug_string debug_string_size:size
Memory_ToString  memory to_string to_string_size:size
Memory_AddressableByDevices  memory devices num_devices:size
Executable_Destroy  executable
Executable_Name  executable executable_name executable_name_size:size
Executable_NumReplicas  executable num_replicas:size
Executable_NumPartitions  executable num_partitions:size
Executable_NumOutputs  executable num_outputs:size
Executable_SizeOfGeneratedCodeInBytes  executable size_in_bytes:i64
Executable_GetCostAnalysis  executable num_properties:size properties
Executable_OutputMemoryKinds  executable num_outputs:size memory_kinds memory_kind_sizes
Executable_OptimizedProgram  executable program
Executable_Serialize  executable serialized_bytes serialized_bytes_size:size serialized_executable
    serialized_executable_deleter
LoadedExecutable_Destroy  executable
LoadedExecutable_GetExecutable  loaded_executable executable
LoadedExecutable_AddressableDevices  executable addressable_devices num_addressable_devices:size
LoadedExecutable_Delete  executable
LoadedExecutable_IsDeleted  executable is_deleted:bool
LoadedExecutable_Execute  executable options argument_lists num_devices:size num_args:size output_lists
    device_complete_events execute_device
Executable_DeserializeAndLoad  client serialized_executable serialized_executable_size:size loaded_executable
    overridden_serialized_compile_options overridden_serialized_compile_options_size:size
LoadedExecutable_Fingerprint  executable executable_fingerprint executable_fingerprint_size:size
Buffer_Destroy  buffer
Buffer_ElementType  buffer type:i32
Buffer_Dimensions  buffer dims num_dims:size
Buffer_UnpaddedDimensions  buffer unpadded_dims num_dims:size
Buffer_DynamicDimensionIndices  buffer dynamic_dim_indices num_dynamic_dims:size
Buffer_GetMemoryLayout  buffer layout:Buffer_MemoryLayout
Buffer_OnDeviceSizeInBytes  buffer on_device_size_in_bytes:size
Buffer_Device  buffer device
Buffer_Memory  buffer memory
Buffer_Delete  buffer
Buffer_IsDeleted  buffer is_deleted:bool
Buffer_CopyToDevice  buffer dst_device dst_buffer
Buffer_ToHostBuffer  src host_layout dst dst_size:size event
Buffer_IsOnCpu  buffer is_on_cpu:bool
Buffer_ReadyEvent  buffer event
Buffer_UnsafePointer  buffer buffer_pointer:size
Buffer_IncreaseExternalReferenceCount  buffer
Buffer_DecreaseExternalReferenceCount  buffer
Buffer_OpaqueDeviceMemoryDataPointer  buffer device_memory_ptr
CopyToDeviceStream_Destroy  stream
CopyToDeviceStream_AddChunk  stream chunk transfer_complete
CopyToDeviceStream_TotalBytes  stream total_bytes:i64
CopyToDeviceStream_GranuleSize  stream granule_size_in_bytes:i64
CopyToDeviceStream_CurrentBytes  stream current_bytes:i64
TopologyDescription_Create  topology_name topology_name_size:size create_options num_options:size topology
TopologyDescription_Destroy  topology
TopologyDescription_PlatformName  topology platform_name platform_name_size:size
TopologyDescription_PlatformVersion  topology platform_version platform_version_size:size
TopologyDescription_GetDeviceDescriptions  topology descriptions num_descriptions:size
TopologyDescription_Serialize  topology serialized_bytes serialized_bytes_size:size serialized_topology
    serialized_topology_deleter
TopologyDescription_Attributes  topology attributes num_attributes:size
Compile  topology program compile_options compile_options_size:size client executable
Executable_OutputElementTypes  executable output_types num_output_types:size
Executable_OutputDimensions  executable num_outputs:size dims dim_sizes
Buffer_CopyToMemory  buffer dst_memory dst_buffer
Client_CreateViewOfDeviceBuffer  client device_buffer_ptr dims num_dims:size element_type:i32 layout device
    on_delete_callback on_delete_callback_arg stream:i64 buffer memory
Executable_Fingerprint  executable executable_fingerprint executable_fingerprint_size:size
Client_TopologyDescription  client topology
Executable_GetCompiledMemoryStats  executable generated_code_size_in_bytes:i64 argument_size_in_bytes:i64
    output_size_in_bytes:i64 alias_size_in_bytes:i64 temp_size_in_bytes:i64 host_generated_code_size_in_bytes:i64
    host_argument_size_in_bytes:i64 host_output_size_in_bytes:i64 host_alias_size_in_bytes:i64
    host_temp_size_in_bytes:i64 peak_memory_in_bytes:i64 total_size_in_bytes:i64 total_allocation_bytes:i64
    indefinite_allocations:i64 peak_unpadded_heap_bytes:i64
Memory_Kind_Id  memory kind_id:i32
ExecuteContext_Create  context
ExecuteContext_Destroy  context
Buffer_CopyRawToHost  buffer dst offset:i64 transfer_size:i64 event
AsyncHostToDeviceTransferManager_Destroy  transfer_manager
AsyncHostToDeviceTransferManager_TransferData  transfer_manager buffer_index:i32 data offset:i64 transfer_size:i64
    is_last_transfer:bool done_with_h2d_transfer
Client_CreateBuffersForAsyncHostToDevice  client shape_specs num_shape_specs:size device_layouts num_device_layouts:size
    memory transfer_manager
AsyncHostToDeviceTransferManager_RetrieveBuffer  transfer_manager buffer_index:i32 buffer_out
AsyncHostToDeviceTransferManager_Device  transfer_manager device_out
AsyncHostToDeviceTransferManager_BufferCount  transfer_manager buffer_count:size
AsyncHostToDeviceTransferManager_BufferSize  transfer_manager buffer_index:i32 buffer_size:size
AsyncHostToDeviceTransferManager_SetBufferError  transfer_manager buffer_index:i32 error_code:i32 error_message
    error_message_size:size
AsyncHostToDeviceTransferManager_AddMetadata  transfer_manager transfer_metadata num_metadata:size
Client_DmaMap  client data size:size
Client_DmaUnmap  client data
Client_CreateUninitializedBuffer  client shape_dims shape_num_dims:size shape_element_type:i32 shape_layout device
    memory buffer
Client_UpdateGlobalProcessInfo  client process_infos num_process_infos:size
TopologyDescription_Deserialize  serialized_topology serialized_topology_size:size topology
Client_CreateAliasBuffer  client memory shape_dims shape_num_dims:size shape_element_type:i32 shape_layout alias_buffer
    fulfill_alias_buffer_cb
Client_FulfillAliasBuffer  client buffer status_code:i32 error_message error_message_size:size fulfill_alias_buffer_cb
LoadedExecutable_GetDeviceAssignment  executable serialized_bytes serialized_bytes_size:size
    serialized_device_assignment serialized_device_assignment_deleter
Client_CreateErrorBuffer  client error_code:i32 error_message error_message_size:size shape_dims shape_num_dims:size
    shape_element_type:i32 shape_layout memory buffer payload num_payload:size
AsyncHostToDeviceTransferManager_TransferLiteral  transfer_manager buffer_index:i32 data shape_dims shape_num_dims:size
    shape_element_type:i32 shape_layout done_with_h2d_transfer
Buffer_CopyRawToHostFuture  buffer offset:i64 transfer_size:i64 event callback_data future_ready_callback
Device_PoisonExecution  device launch_id:i32 error_code:i32 error_message error_message_size:size poisoned:bool payload
    num_payload:size
Device_CreateAsyncTrackingEvent  device description description_size:size event
AsyncTrackingEvent_Destroy  event
Executable_GetCompileOptions  executable serialized_bytes serialized_bytes_size:size serialized_compile_options
    serialized_compile_options_deleter
Buffer_DonateWithControlDependency  buffer callback_data dependency_ready_callback out_buffer
Event_Create  event
Event_Set  event error_code:i32 error_message error_message_size:size
Device_GetAttributes  device attributes num_attributes:size device_attributes attributes_deleter
Client_Load  client executable compile_options compile_options_size:size loaded_executable
LoadedExecutable_AddressableDeviceLogicalIds  executable addressable_device_logical_ids
    num_addressable_device_logical_ids:size
Buffer_Bitcast  buffer element_type:i32 dims num_dims:size device_layout out_buffer
Error_ForEachPayload  error visitor user_arg
TopologyDescription_Fingerprint  topology fingerprint:u64
Executable_ParameterMemoryKinds  executable num_parameters:size memory_kinds memory_kind_sizes
"""
"""A function in a line: its name, then what its struct has behind the size and the extensions. What has no type is a
pointer.
"""

_LAYOUT_FUNCTIONS = """
Layouts_MemoryLayout_Destroy  layout
Layouts_MemoryLayout_Serialize  layout serialized_bytes serialized_bytes_size:size serialized_layout
    serialized_layout_deleter
Layouts_Client_GetDefaultLayout  client type:i32 dims num_dims:size layout
Layouts_Buffer_MemoryLayout  buffer layout
Layouts_Topology_GetDefaultLayout  topology_description type:i32 dims num_dims:size layout
Layouts_Executable_GetOutputLayouts  executable num_outputs:size layouts
Layouts_Executable_GetParameterLayouts  executable num_parameters:size layouts
"""

_SHARDING_FUNCTIONS = """
Shardings_Executable_ParameterShardings  executable num_parameters:size shardings sharding_sizes
Shardings_Executable_OutputShardings  executable num_outputs:size shardings sharding_sizes
"""

_STRUCTS = """
NamedValue  name name_size:size type:i32 value:u64 value_size:size
Program  code code_size:size format format_size:size
ExecuteOptions  send_callbacks recv_callbacks num_send_ops:size num_recv_ops:size launch_id:i32
    non_donatable_input_indices num_non_donatable_input_indices:size context call_location num_tasks:size task_ids
    incarnation_ids multi_slice_config
Tiled  minor_to_major minor_to_major_size:size tile_dims tile_dim_sizes num_tiles:size
"""
"""What those structs point to."""

EXTENSION_LAYOUTS, EXTENSION_SHARDINGS = 4, 19
"""The numbers of the extensions."""


class Arguments(ctypes.Structure):
    """The struct of a call, or one that it points to; its fields are those of the table."""


def _parsed(table: str) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    for line in table.strip().replace("\n    ", " ").splitlines():
        name, *fields = line.split()
        yield name, [_field(field) for field in fields]


def _field(text: str) -> tuple[str, Any]:
    name, _, kind = text.partition(":")
    return name, MemoryLayout if kind == "Buffer_MemoryLayout" else _TYPES[kind or "ptr"]


def _struct(name: str, fields: list[tuple[str, Any]]) -> type[Arguments]:
    start = [("struct_size", ctypes.c_size_t), ("extension_start", ctypes.c_void_p)]
    return type(name, (Arguments,), {"_fields_": [*start, *fields]})


STRUCTS: dict[str, type[Arguments]] = {name: _struct(name, fields) for name, fields in _parsed(_STRUCTS)}
MemoryLayout = _struct("MemoryLayout", [("tiled", STRUCTS["Tiled"]), ("type", ctypes.c_int32)])

FUNCTIONS: dict[str, type[Arguments]] = {name: _struct(name, fields) for name, fields in _parsed(_FUNCTIONS)}
"""The functions of the table, in its order, and their structs."""

LAYOUT_FUNCTIONS = {name: _struct(name, fields) for name, fields in _parsed(_LAYOUT_FUNCTIONS)}
SHARDING_FUNCTIONS = {name: _struct(name, fields) for name, fields in _parsed(_SHARDING_FUNCTIONS)}

ALL_FUNCTIONS = {**FUNCTIONS, **LAYOUT_FUNCTIONS, **SHARDING_FUNCTIONS}


class LogicalDeviceIds(ctypes.Structure):
    """The replica and the partition that a device runs."""

    _fields_ = (("replica", ctypes.c_int32), ("partition", ctypes.c_int32))


class Version(ctypes.Structure):
    """That of the API."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("extension_start", ctypes.c_void_p),
        ("major_version", ctypes.c_int32),
        ("minor_version", ctypes.c_int32),
    )


class Extension(ctypes.Structure):
    """Where a list of functions begins that not every plugin has."""

    _fields_ = (("struct_size", ctypes.c_size_t), ("type", ctypes.c_int32), ("next", ctypes.c_void_p))


class LayoutsExtension(ctypes.Structure):
    """That for the layouts of buffers."""

    _fields_ = (("base", Extension), *((name, ctypes.c_void_p) for name in LAYOUT_FUNCTIONS))


class ShardingsExtension(ctypes.Structure):
    """That for the shardings of executables."""

    _fields_ = (("base", Extension), *((name, ctypes.c_void_p) for name in SHARDING_FUNCTIONS))


class Api(ctypes.Structure):
    """The table of functions that a plugin gives."""

    _fields_ = (
        ("struct_size", ctypes.c_size_t),
        ("extension_start", ctypes.c_void_p),
        ("version", Version),
        *((name, ctypes.c_void_p) for name in FUNCTIONS),
    )
