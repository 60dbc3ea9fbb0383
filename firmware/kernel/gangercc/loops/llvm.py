# SPDX-License-Identifier: Apache-2.0
"""LLVM's own reader, writer and passes, through the C interface of the library that clang-14 itself is linked with.

A block or a value is LLVM's pointer to it, as a number. Names are those of LLVM's headers without the prefix LLVM.
"""
import ctypes

LIBRARY = "libLLVM-14.so.1"
# Results and parameters: p pointer, u 32 bits, q 64 bits, s string, v nothing.
SIGNATURES = """
ABISizeOfType q pp|ABIAlignmentOfType u pp|AddIncoming v pppu|AppendBasicBlockInContext p pps
ArrayType p pu|AddCallSiteAttribute v pup|CreateEnumAttribute p puq|AddAttributeAtIndex v pup
BuildAdd p ppps|BuildAlloca p pps|BuildArrayAlloca p ppps|BuildBitCast p ppps|BuildBr p pp|BuildCall2 p pppp us
BuildCondBr p pppp|BuildGEP2 p ppp pus|BuildICmp p pupps|BuildLoad2 p ppps|BuildNSWAdd p ppps|BuildRetVoid p p
BuildStore p ppp|BuildTrunc p ppps|BuildZExt p ppps|BuildNUWAdd p ppps|BuildMul p ppps|BuildIntToPtr p ppps
BuildPtrToInt p ppps
ClearInsertionPosition v p|ConstInt p pqu|ConstIntGetZExtValue q p|ContextCreate p |CreateBuilderInContext p p
CreatePassBuilderOptions p |DisposeMessage v p|FunctionType p ppuu|GetAlignment u p|GetAllocatedType p p
GetBasicBlockParent p p|GetBasicBlockTerminator p p|GetCalledFunctionType p p|GetCalledValue p p
GetEntryBasicBlock p p|GetElementType p p|GetEnumAttributeKindForName u sq|GetEnumAttributeAtIndex p puu
GetErrorMessage p p|GetFirstBasicBlock p p|GetFirstFunction p p|GetFirstInstruction p p|GetFirstUse p p
GetIncomingBlock p pu|GetIncomingValue p pu|GetInlineAsm p ps qsquuuu|GetInstructionOpcode u p
GetInstructionParent p p|GetIntrinsicID u p|IntTypeInContext p pu|GetModuleDataLayout p p
GetNamedFunction p ps|GetNextBasicBlock p p|GetNextFunction p p|GetNextInstruction p p|GetNextUse p p
GetNumOperands u p|GetNumSuccessors u p|GetOperand p pu|GetSection p p|GetSuccessor p pu
GetTypeKind u p|GetUndef p p|LinkModules2 u pp|GetUser p p|GetValueName2 p pp|GetVolatile u p|GlobalGetValueType p p
InsertIntoBuilder v pp|InstructionClone p p|InstructionEraseFromParent v p
InstructionRemoveFromParent v p|IsAAllocaInst p p|IsAArgument p p|IsAConstant p p|IsAConstantInt p p|IsAFunction p p
IsAInlineAsm p p|IsAInstruction p p|IsConditional u p|IsDeclaration u p|MoveBasicBlockBefore v pp|PointerType p pu
PositionBuilderAtEnd v pp|PositionBuilderBefore v pp|PrintValueToString p p|PrintTypeToString p p
RemoveEnumAttributeAtIndex v puu|ReplaceAllUsesWith v pp|RunPasses p pspp|SetAlignment v pu
SetOperand v pup|SetSuccessor v pup|SetVolatile v pu|TypeOf p p|VoidTypeInContext p p
IsABasicBlock p p|ValueAsBasicBlock p p|BasicBlockAsValue p p|DeleteBasicBlock v p|SetLinkage v pu
GetSubprogram p p|DISubprogramGetLine u p|DIBuilderCreateDebugLocation p puupp|InstructionGetDebugLoc p p
InstructionSetDebugLoc v pp
GetOrdering u p|StoreSizeOfType q pp
AddFunction p psp|CountParams u p|CountBasicBlocks u p|SetCurrentDebugLocation2 v pp|GetLinkage u p
"""
CODES = {"p": ctypes.c_void_p, "u": ctypes.c_uint, "q": ctypes.c_uint64, "s": ctypes.c_char_p, "v": None}

RET, BR, SWITCH, INDIRECT, INVOKE, UNREACHABLE = 1, 2, 3, 4, 5, 7
ALLOCA, LOAD, STORE, GEP, FENCE, CMPXCHG, ATOMIC = 26, 27, 28, 29, 55, 56, 57
TRUNC, PTRTOINT, INTTOPTR, BITCAST, ICMP, FCMP, PHI, CALL, SELECT, FREEZE = 30, 39, 40, 41, 42, 43, 44, 45, 46, 68
# Results that follow from the operands alone: arithmetic, conversions, comparisons, vectors, structures.
PURE = {*range(8, 26), 66, GEP, *range(30, 42), 60, ICMP, FCMP, SELECT, *range(50, 55), FREEZE}
# Of these, what is cheaper to do again than to keep: no division and no floating point.
CHEAP = {8, 10, 12, 20, 21, 22, 23, 24, 25, GEP, 30, 31, 32, PTRTOINT, INTTOPTR, BITCAST, ICMP}
NE, EQ, ULT = 33, 32, 36
POINTER_TYPE, VOID_TYPE = 12, 0
INTERNAL = 8
FUNCTION_INDEX = 0xFFFFFFFF


class Failure(Exception):
    """LLVM refuses something: its words."""


def _bound():
    library = ctypes.CDLL(LIBRARY)
    names = {}
    for row in SIGNATURES.replace("\n", "|").split("|"):
        if row.strip():
            name, result, *parameters = row.split()
            function = getattr(library, "LLVM" + name)
            function.restype = CODES[result]
            function.argtypes = [CODES[code] for code in "".join(parameters)]
            names[name] = function
    names["library"] = library
    return type("Llvm", (), {name: staticmethod(function) for name, function in names.items()})


L = _bound()


def text(pointer):
    """A string that the library gives away."""
    found = ctypes.string_at(pointer).decode("utf-8", "replace")
    L.DisposeMessage(pointer)
    return found


def shown(value):
    return text(L.PrintValueToString(value))


def name(value):
    length = ctypes.c_size_t()
    return ctypes.string_at(L.GetValueName2(value, ctypes.byref(length)), length.value).decode()


def chain(first, following):
    while first:
        yield first
        first = following(first)


def functions(module):
    return chain(L.GetFirstFunction(module), L.GetNextFunction)


def blocks(function):
    return list(chain(L.GetFirstBasicBlock(function), L.GetNextBasicBlock))


def instructions(block):
    return list(chain(L.GetFirstInstruction(block), L.GetNextInstruction))


def users(value):
    """Each instruction that uses a value, once."""
    return list(dict.fromkeys(L.GetUser(use) for use in chain(L.GetFirstUse(value), L.GetNextUse)))


def operands(value):
    return [L.GetOperand(value, number) for number in range(L.GetNumOperands(value))]


def opcode(value):
    return L.GetInstructionOpcode(value)


def successors(block):
    terminator = L.GetBasicBlockTerminator(block)
    return [L.GetSuccessor(terminator, number) for number in range(L.GetNumSuccessors(terminator))]


def called(call):
    """Name of the function that a call goes to; "" for assembly, for pointers, and for what is no call."""
    if opcode(call) != CALL:
        return ""
    target = L.GetCalledValue(call)
    return name(target) if L.IsAFunction(target) else ""


def incoming(phi):
    """(value, block) of each edge."""
    return [(L.GetIncomingValue(phi, n), L.GetIncomingBlock(phi, n)) for n in range(L.GetNumOperands(phi))]


def run_passes(module, passes):
    error = L.RunPasses(module, passes.encode(), None, L.CreatePassBuilderOptions())
    if error:
        raise Failure(ctypes.string_at(L.GetErrorMessage(error)).decode())


def read(path, context):
    """A module from a file of LLVM's text."""
    lib, buffer, module, message = L.library, ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    if lib.LLVMCreateMemoryBufferWithContentsOfFile(str(path).encode(), ctypes.byref(buffer), ctypes.byref(message)) \
            or lib.LLVMParseIRInContext(ctypes.c_void_p(context), buffer, ctypes.byref(module), ctypes.byref(message)):
        raise Failure(text(message.value))
    return module.value


def verify(module):
    message = ctypes.c_void_p()
    if L.library.LLVMVerifyModule(ctypes.c_void_p(module), 2, ctypes.byref(message)):
        raise Failure(text(message.value))


def write(module, path):
    message = ctypes.c_void_p()
    if L.library.LLVMPrintModuleToFile(ctypes.c_void_p(module), str(path).encode(), ctypes.byref(message)):
        raise Failure(text(message.value))
