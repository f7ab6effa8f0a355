import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { CounterUnit } from '../../../common/p4runtime/p4info-externs';
import type { CountData } from '../../control/program-control';

/** The message of a count; what the program does not ask for stays 0. */
export function encodeCount({ packets, bytes }: CountData, unit: CounterUnit): p4.CounterData {
  return new p4.CounterData({
    packetCount: unit === 'bytes' ? '0' : String(packets),
    byteCount: unit === 'packets' ? '0' : String(bytes),
  });
}

/** @throws RpcError INVALID_ARGUMENT when negative, OUT_OF_RANGE above 2^53 - 1. */
export function decodeCount(data: p4.CounterData, where: string): CountData {
  return {
    packets: decodeNumber(data.packetCount, `${where}, packet_count`),
    bytes: decodeNumber(data.byteCount, `${where}, byte_count`),
  };
}

function decodeNumber(text: string, where: string): number {
  const value = Number(text);
  if (value < 0) throw new RpcError('INVALID_ARGUMENT', `${where}: ${text} is negative`);
  if (Number.isSafeInteger(value)) return value;
  throw new RpcError('OUT_OF_RANGE', `${where}: ${text} is above ${Number.MAX_SAFE_INTEGER}`);
}
