import { HPCC_QUEUE_UNIT, HPCC_TIME_MODULUS, HPCC_TX_MODULUS } from '../wire/hpcc/hpcc-padding';
import { HPCC_TX_UNIT } from '../wire/hpcc/hpcc-padding';
import type { HpccPadding } from '../wire/hpcc/hpcc-padding';
import { NS3_INT_SLOTS } from '../wire/hpcc/ns3-int-header';
import type { Ns3IntHeader } from '../wire/hpcc/ns3-int-header';
import type { HopTelemetry } from '../hop/hop';
import { ns3Speed } from '../hop/hop-units';
import { setField } from '../hop/mutable-hop';
import type { MutableHop } from '../hop/mutable-hop';

/**
 * Hops in path order. They have no identity: a change of the path id means another path. The paper
 * publishes no speed codes; the simulator's are taken.
 */
export const paddingHops = ({ records }: HpccPadding): HopTelemetry[] =>
  records.map(({ speedCode, timestamp, txUnits, queueUnits }) =>
    counters({ speedCode, timestamp, txUnits, queueUnits }),
  );

/** Hops in path order; none after more hops than slots, which overwrite the first ones. */
export function ns3Hops({ slots, hopCount }: Ns3IntHeader): HopTelemetry[] {
  if (hopCount > NS3_INT_SLOTS) return [];
  return slots
    .slice(0, hopCount)
    .map(({ rateCode, time, txUnits, queueUnits }) =>
      counters({ speedCode: rateCode, timestamp: time, txUnits, queueUnits }),
    );
}

interface Counters {
  readonly speedCode: number;
  readonly timestamp: number;
  readonly txUnits: number;
  readonly queueUnits: number;
}

function counters({ speedCode, timestamp, txUnits, queueUnits }: Counters): HopTelemetry {
  const hop: MutableHop = {
    timestamp,
    timestampModulus: HPCC_TIME_MODULUS,
    txBytes: txUnits * HPCC_TX_UNIT,
    txBytesModulus: HPCC_TX_MODULUS,
    queueBytes: queueUnits * HPCC_QUEUE_UNIT,
  };
  setField(hop, 'capacity', ns3Speed(speedCode));
  return hop;
}
