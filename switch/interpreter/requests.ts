import { evaluateData } from './evaluate-expression';
import type { Statement } from '../ir/statements';
import type { InterpretedPacket } from './interpreted-packet';

/** bmv2 keeps 15 bits of a clone session's id. */
const SESSION_BITS = 15;

export function requestClone(
  { session, fieldList }: Extract<Statement, { kind: 'clone' }>,
  packet: InterpretedPacket,
): void {
  const id = evaluateData(session, packet);
  packet.requests.cloneSession = Number(BigInt.asUintN(SESSION_BITS, id));
  packet.requests.cloneFields = Number(evaluateData(fieldList, packet));
}

/** Of several calls the smallest length counts. */
export function requestTruncation(length: bigint, packet: InterpretedPacket): void {
  const bytes = Number(BigInt.asUintN(32, length));
  packet.requests.truncateTo = Math.min(packet.requests.truncateTo, bytes);
}
