import { RpcError } from '../../../../../common/p4runtime/codes';

/** The name of the code with which a call is refused; "OK" when it is not. */
export function refusedBy(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof RpcError) return error.codeName;
    throw error;
  }
  return 'OK';
}
