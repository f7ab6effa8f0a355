import type { CounterData, MeterConfig, MeterCounterData } from '../../entities/stateful-elements';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { signed64 } from './wire-values';

/** The contents of a counter, as a message. @throws InputError when it exceeds 63 bits. */
export function encodeCounterData({ packets, bytes }: CounterData, what: string): p4.CounterData {
  return new p4.CounterData({
    packetCount: signed64(packets, `${what}, packets`),
    byteCount: signed64(bytes, `${what}, bytes`),
  });
}

export function decodeCounterData({ packetCount, byteCount }: p4.CounterData): CounterData {
  return { packets: BigInt(packetCount), bytes: BigInt(byteCount) };
}

/** The rates of a meter, as a message. @throws InputError when a number exceeds 63 bits. */
export function encodeMeterConfig(config: MeterConfig, what: string): p4.MeterConfig {
  const { cir, cburst, pir, pburst, eburst = 0n } = config;
  return new p4.MeterConfig({
    cir: signed64(cir, `${what}, cir`),
    cburst: signed64(cburst, `${what}, cburst`),
    pir: signed64(pir, `${what}, pir`),
    pburst: signed64(pburst, `${what}, pburst`),
    eburst: signed64(eburst, `${what}, eburst`),
  });
}

export function decodeMeterConfig(message: p4.MeterConfig): MeterConfig {
  const eburst = BigInt(message.eburst);
  return {
    cir: BigInt(message.cir),
    cburst: BigInt(message.cburst),
    pir: BigInt(message.pir),
    pburst: BigInt(message.pburst),
    ...(eburst !== 0n && { eburst }),
  };
}

export function decodeMeterCounters(message: p4.MeterCounterData): MeterCounterData {
  const one = (data: p4.CounterData | undefined): CounterData =>
    decodeCounterData(data ?? new p4.CounterData({}));
  return {
    green: one(message.hasGreen ? message.green : undefined),
    yellow: one(message.hasYellow ? message.yellow : undefined),
    red: one(message.hasRed ? message.red : undefined),
  };
}
