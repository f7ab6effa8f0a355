/**
 * Status codes of gRPC and of google.rpc.Status, by name. P4Runtime calls them canonical codes
 * (P4Runtime 1.5.0, chapter "Error Reporting Messages").
 */
export const RPC_CODE = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

export type RpcCodeName = keyof typeof RPC_CODE;
export type RpcCode = (typeof RPC_CODE)[RpcCodeName];

const NAMES = new Map<number, string>(Object.entries(RPC_CODE).map(([name, code]) => [code, name]));

/** The name of a code, or `code <n>` for a number that gRPC does not define. */
export function codeName(code: number): string {
  return NAMES.get(code) ?? `code ${code}`;
}
