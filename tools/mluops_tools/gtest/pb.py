"""Binary protobuf cases, by the user's own schema and the optional dependency grpcio-tools."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from mluops_conformance.errors import UserError
from mluops_conformance.support.files import LARGEST, regular_file

from mluops_tools.gtest.textformat import Message, parse
from mluops_tools.gtest.unrepresentable import UnrepresentableError

__all__ = ["message_of"]

CASE = "Node"
"""The message of the schema that is a case."""


def message_of(path: Path, proto: Path | None) -> Message:
    """The case in a .pb file.

    Parameters
    ----------
    path : Path
    proto : Path or None
        The schema, mlu_op_test.proto.

    Raises
    ------
    UserError
        The schema does not compile, or grpcio-tools is not installed.
    UnrepresentableError
        There is no schema, or the file holds no case by it.
    """
    if proto is None:
        raise UnrepresentableError(
            "it is binary, and read by its schema: import-gtest --proto mlu_op_test.proto (or pb2prototxt)"
        )
    message = _message_class(proto.resolve())()
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    try:
        message.ParseFromString(regular_file(path, LARGEST).read_bytes())
    except (OSError, DecodeError) as error:
        raise UnrepresentableError(f"it is no {CASE} of {proto.name}: {error}") from None
    _spell_out_scalars(message)
    return parse(text_format.MessageToString(message))


@lru_cache(maxsize=4)
def _message_class(proto: Path) -> Any:
    try:
        from google.protobuf import descriptor_pool, message_factory
        from grpc_tools import protoc
    except ImportError:
        raise UserError(
            ".pb files are read with grpcio-tools: pip install 'mluops-conformance[pb]', "
            "or convert them with the vendor's pb2prototxt"
        ) from None
    files = _compiled(proto, protoc)
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    package = f"{files[-1].package}." if files[-1].package else ""
    try:
        return message_factory.GetMessageClass(pool.FindMessageTypeByName(package + CASE))
    except KeyError:
        raise UserError(f"{proto} has no message {CASE}: is it mlu_op_test.proto?") from None


def _compiled(proto: Path, protoc: Any) -> Any:
    """The descriptions of the schema's files, its own the last."""
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "descriptors"
        words = [
            "protoc",
            f"-I{proto.parent}",
            f"--descriptor_set_out={target}",
            "--include_imports",
            str(proto),
        ]
        if protoc.main(words):
            raise UserError(f"{proto} does not compile; protoc says above why")
        return FileDescriptorSet.FromString(target.read_bytes()).file


def _spell_out_scalars(message: Any) -> None:
    """Set the operator's scalars that are not there to the schema's defaults: text shows only what is set."""
    for section, value in message.ListFields():
        if section.name.endswith("_param"):
            for scalar in value.DESCRIPTOR.fields:
                if scalar.message_type is None and scalar.has_presence and not value.HasField(scalar.name):
                    setattr(value, scalar.name, scalar.default_value)
