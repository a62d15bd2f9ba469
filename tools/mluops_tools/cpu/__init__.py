"""mlu-ops' own host code and kernels, compiled for the CPU.

`checkout` knows a checkout of mlu-ops, `conversion` makes C++ of its kernels (`tokens` below it), `project`
writes the CMake project, `toolchain` finds what compiles it, `building` drives it, and `metadata` is what a
folder says of the library in it. `cxx` holds the C++ side: `platform` the headers that the sources include,
`runtime` the device, `bang` the intrinsics, `cnnl` and `cndrv` the libraries beside them.
"""
