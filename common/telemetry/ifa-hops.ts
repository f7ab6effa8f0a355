import type { IfaMetadata, IfaRecord } from '../wire/ifa/ifa2';
import type { Ifa1, Ifa1Record } from '../wire/ifa/ifa1';
import type { CarrierHop } from '../hop/hop';
import { wordsHex } from './fields';
import { ifaSpeed, setField, withCapacity } from '../hop/hop-units';
import type { HopUnits, MutableHop } from '../hop/hop-units';

const SECOND = 1e9;
const IFA2_SECONDS_MODULUS = 2 ** 20;
/** 48-bit seconds are reduced to 22 bits, so that ns since the origin stay below 2^53. */
const IFA1_SECONDS_MODULUS = 2 ** 22;

/**
 * Hops in path order, with the opaque words as draft-miao-tsv-hpcc-info has them: txBytes, then the
 * queue length in cells.
 */
export const ifaHops = ({ records }: IfaMetadata, units: HopUnits): CarrierHop[] =>
  records.map((record) => recordHop(record, units)).reverse();

function recordHop(record: IfaRecord, units: HopUnits): CarrierHop {
  const [txBytes, queue] = record.opaque;
  const modulus = IFA2_SECONDS_MODULUS * SECOND;
  // The residence time may carry into the seconds, and these wrap.
  const egress = record.rxSeconds * SECOND + record.rxNanoseconds + record.residenceNs;
  const { localNamespace, ttl, speedCode, congestion, rxSeconds, rxNanoseconds } = record;
  const hop: MutableHop & Pick<CarrierHop, 'fields'> = {
    switchId: record.deviceId,
    portId: record.egressPort,
    ingressPortId: record.ingressPort,
    queueId: record.queueId,
    timestamp: egress % modulus,
    timestampModulus: modulus,
    txBytes,
    txBytesModulus: 2 ** 32,
    queueBytes: (queue & 0xffff) * units.cellBytes,
    fields: {
      localNamespace,
      ttl,
      speedCode,
      congestion,
      rxSeconds,
      rxNanoseconds,
      residenceNs: record.residenceNs,
      opaqueWords: wordsHex(record.opaque) ?? '',
    },
  };
  setField(hop, 'capacity', ifaSpeed(record.speedCode));
  return withCapacity(hop, units);
}

/** Hops in path order. */
export const ifa1Hops = ({ records }: Ifa1, units: HopUnits): CarrierHop[] =>
  records.map((record) => ifa1RecordHop(record, units)).reverse();

function ifa1RecordHop(record: Ifa1Record, units: HopUnits): CarrierHop {
  // The transmit time has no seconds of its own: below that of reception it is in the next one.
  const carry = record.txNanoseconds < record.rxNanoseconds ? 1 : 0;
  const seconds = (record.rxSeconds + carry) % IFA1_SECONDS_MODULUS;
  const { portType, congestion, ttl, rxSeconds, rxNanoseconds, txNanoseconds } = record;
  const hop: MutableHop & Pick<CarrierHop, 'fields'> = {
    switchId: record.deviceId,
    portId: record.egressPort,
    ingressPortId: record.ingressPort,
    queueId: record.queueId,
    timestamp: seconds * SECOND + record.txNanoseconds,
    timestampModulus: IFA1_SECONDS_MODULUS * SECOND,
    txBytes: record.txBytes,
    txBytesModulus: 2 ** 40,
    queueBytes: record.queueCells * units.cellBytes,
    fields: { portType, congestion, ttl, rxSeconds, rxNanoseconds, txNanoseconds },
  };
  return withCapacity(hop, units);
}
