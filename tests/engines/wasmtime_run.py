"""Runs the module without imports in wasmtime and prints its line of JSON: wasmtime_run.py <module.wasm>"""

import sys

from wasmtime import Instance, Module, Store

store = Store()
exports = Instance(store, Module.from_file(store.engine, sys.argv[1]), []).exports(store)
place = exports["compare"](store) % 2**64
start, length = place >> 32, place % 2**32
print(exports["memory"].read(store, start, start + length).decode())
