import { assert } from '../../../common/assert';
import { isUnresolved } from './resolve-name';
import { StfError } from '../text/stf-error';
import type { StfReply, StfRequest } from './requests';
import type { Unresolved } from './resolve-name';

/** Work that yields requests, wants their replies, and ends with a result. */
export type Steps<T> = Generator<StfRequest, T, StfReply>;

/** Performs a request that needs no answer but must not be refused. */
export function* perform(line: number, request: StfRequest): Steps<StfReply> {
  const reply = yield request;
  if (reply.kind === 'refused') throw new StfError(line, reply.reason);
  return reply;
}

/** Performs a request whose answer is of a certain kind. */
export function* ask<Kind extends StfReply['kind']>(
  line: number,
  request: StfRequest,
  kind: Kind,
): Steps<StfReply & { readonly kind: Kind }> {
  const reply = yield* perform(line, request);
  assert(reply.kind === kind, `the target answers '${request.kind}' with ${kind}`);
  return reply as StfReply & { readonly kind: Kind };
}

/** The object that a name stands for. @throws StfError when there is none. */
export function resolved<T extends object>(line: number, found: T | Unresolved): T {
  if (isUnresolved(found)) throw new StfError(line, found.problem);
  return found;
}
