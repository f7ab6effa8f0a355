import { HPCC_QUEUE_UNIT, HPCC_TIME_MODULUS, HPCC_TX_MODULUS } from '../wire/hpcc/hpcc-padding';
import { HPCC_TX_UNIT } from '../wire/hpcc/hpcc-padding';
import type { HpccPadding } from '../wire/hpcc/hpcc-padding';
import { NS3_INT_SLOTS } from '../wire/hpcc/ns3-int-header';
import type { Ns3IntHeader } from '../wire/hpcc/ns3-int-header';
import type { CarrierHop, HopTelemetry } from '../hop/hop';
import { ns3Speed, paddingSpeed, setField, ifaSpeed } from '../hop/hop-units';
import type { BitsPerSecond } from '../units/units';
import type { MutableHop } from '../hop/hop-units';
import type { CompactResponse } from '../wire/roce/cnp';
import type { TelemetryResponse } from '../wire/roce/telemetry-messages';
import { word64Modulo48, wrappingCounter } from '../wire/bytes';

/**
 * Hops in path order. They have no identity: a change of the path id means another path. The paper
 * publishes no speed codes; those of the simulator are taken, and three more.
 */
export const paddingHops = ({ records }: HpccPadding): CarrierHop[] =>
  records.map(({ speedCode, timestamp, txUnits, queueUnits }) =>
    counters({ speedCode, timestamp, txUnits, queueUnits }, paddingSpeed(speedCode)),
  );

/** Hops in path order; none after more hops than slots, which overwrite the first ones. */
export function ns3Hops({ slots, hopCount }: Ns3IntHeader): CarrierHop[] {
  if (hopCount > NS3_INT_SLOTS) return [];
  return slots
    .slice(0, hopCount)
    .map(({ rateCode, time, txUnits, queueUnits }) =>
      counters({ speedCode: rateCode, timestamp: time, txUnits, queueUnits }, ns3Speed(rateCode)),
    );
}

interface Counters {
  readonly speedCode: number;
  readonly timestamp: number;
  readonly txUnits: number;
  readonly queueUnits: number;
}

function counters(
  { speedCode, timestamp, txUnits, queueUnits }: Counters,
  capacity: BitsPerSecond | undefined,
): CarrierHop {
  const hop: MutableHop & Pick<CarrierHop, 'fields'> = {
    timestamp,
    timestampModulus: HPCC_TIME_MODULUS,
    txBytes: txUnits * HPCC_TX_UNIT,
    txBytesModulus: HPCC_TX_MODULUS,
    queueBytes: queueUnits * HPCC_QUEUE_UNIT,
    fields: { speedCode },
  };
  setField(hop, 'capacity', capacity);
  return hop;
}

const MODULUS_32 = 2 ** 32;
const MODULUS_48 = 2 ** 48;

/** The one hop that a receiver chose. */
export function responseHop(response: TelemetryResponse): HopTelemetry {
  const sent = wrappingCounter(response.txBytes);
  return {
    switchId: response.nodeId,
    portId: response.portId,
    queueId: response.queueId,
    timestamp: word64Modulo48(response.timestamp),
    timestampModulus: MODULUS_48,
    txBytes: sent.value,
    txBytesModulus: sent.modulus,
    queueBytes: response.queueBytes,
    capacity: response.capacityMbps * 1e6,
  };
}

/** The one hop of a CNP-shaped response, with the speed codes of IFA. */
export function compactResponseHop(response: CompactResponse): HopTelemetry {
  const hop: MutableHop = {
    switchId: response.nodeId,
    portId: response.portId,
    timestamp: response.timestamp,
    timestampModulus: MODULUS_32,
    txBytes: response.txUnits * HPCC_TX_UNIT,
    txBytesModulus: MODULUS_32 * HPCC_TX_UNIT,
    queueBytes: response.queueUnits * HPCC_QUEUE_UNIT,
  };
  setField(hop, 'capacity', ifaSpeed(response.speedCode));
  return hop;
}
