import { paddingHops } from '../../common/telemetry/compact-hops';
import type { HopUnits } from '../../common/hop/hop-units';
import { WireFault } from '../../common/wire/fault';
import {
  emitHpccPadding,
  HPCC_PADDING_DSCP,
  HPCC_PADDING_FIXED_LENGTH,
  HPCC_PADDING_HOPS_MAX,
  HPCC_PADDING_RECORD_LENGTH,
  hpccPaddingLength,
  parseHpccPadding,
} from '../../common/wire/hpcc/hpcc-padding';
import type { Carrier, FoundHeaders, TelemetryReader } from './carrier';
import { sampleOf } from './hop-samples';
import { IPV4_LAYER } from './network-layer';

/**
 * The padding of the HPCC paper between the UDP header and the transport. Records have no identity: a
 * link is known by its place on the path and by the id of the path, so that another path is another link.
 */
export function paddingCarrier({ capacityOf }: Pick<HopUnits, 'capacityOf'>): Carrier {
  const reader: TelemetryReader = {
    read(bytes, at, length) {
      const padding = parseHpccPadding(bytes, at, at + length);
      if (padding instanceof WireFault || hpccPaddingLength(padding) !== length) return undefined;
      const { pathId } = padding;
      const hops = paddingHops(padding).map((hop, portId) => {
        const capacity = hop.capacity ?? capacityOf({});
        return { ...hop, switchId: pathId, portId, ...(capacity !== undefined && { capacity }) };
      });
      return sampleOf(hops, false);
    },
  };
  return {
    name: 'padding',
    network: IPV4_LAYER,
    datagramHeaders: {
      length: HPCC_PADDING_FIXED_LENGTH,
      isCounted: true,
      emit: (_, bytes, at) =>
        emitHpccPadding({ pathId: 0, records: [], aligned: false }, bytes, at),
      find: findPadding,
    },
    dscp: HPCC_PADDING_DSCP,
    losesClass: true,
    headerLength: HPCC_PADDING_FIXED_LENGTH,
    hopLength: HPCC_PADDING_RECORD_LENGTH,
    hopsMax: HPCC_PADDING_HOPS_MAX,
    shows: 'links',
    questions: 1,
    echoLength: { fixed: HPCC_PADDING_FIXED_LENGTH, hop: HPCC_PADDING_RECORD_LENGTH },
    newReader: () => reader,
  };
}

function findPadding(bytes: Uint8Array, at: number, end: number): FoundHeaders | WireFault {
  const padding = parseHpccPadding(bytes, at, Math.min(end, bytes.length));
  if (padding instanceof WireFault) return padding;
  const skip = hpccPaddingLength(padding);
  return { skip, telemetryAt: at, telemetryLength: skip };
}
