import type { CompactResponse } from '../wire/roce/compact-response';
import { HPCC_QUEUE_UNIT, HPCC_TX_UNIT } from '../wire/hpcc/hpcc-padding';
import type { TelemetryResponse } from '../wire/roce/telemetry-response';
import { word64Modulo48 } from '../wire/word64';
import type { HopTelemetry } from '../hop/hop';
import { ifaSpeed } from '../hop/hop-units';
import { setField } from '../hop/mutable-hop';
import type { MutableHop } from '../hop/mutable-hop';

const MODULUS_32 = 2 ** 32;
const MODULUS_48 = 2 ** 48;

/** The one hop that a receiver chose. */
export const responseHop = (response: TelemetryResponse): HopTelemetry => ({
  switchId: response.nodeId,
  portId: response.portId,
  queueId: response.queueId,
  timestamp: word64Modulo48(response.timestamp),
  timestampModulus: MODULUS_48,
  txBytes: word64Modulo48(response.txBytes),
  txBytesModulus: MODULUS_48,
  queueBytes: response.queueBytes,
  capacity: response.capacityMbps * 1e6,
});

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
