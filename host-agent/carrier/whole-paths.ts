import type { HopRecord } from '../../common/hop/hop';
import type { Bytes } from '../../common/units/units';
import { WireFault } from '../../common/wire/fault';
import type { Carrier, CarrierHeaders, FoundHeaders, TelemetryReader } from './carrier';
import type { CongestionSample } from './congestion-sample';

/**
 * The carrier where switches choose which packets get telemetry. What time begins tells of the whole
 * path; what congestion begins tells of the links from the congested one on, and is completed here with
 * the latest records of those before it, which then show no time passed. A packet that no switch has
 * written into tells nothing.
 */
export function ofWholePaths(carrier: Carrier): Carrier {
  const { datagramHeaders } = carrier;
  return {
    ...carrier,
    ...(datagramHeaders && { datagramHeaders: { ...datagramHeaders, find: written } }),
    newReader: (baseRtt) => new WholePathReader(carrier.newReader(baseRtt)),
  };

  function written(bytes: Uint8Array, at: number, end: number): FoundHeaders | WireFault {
    const found = (datagramHeaders as CarrierHeaders).find(bytes, at, end);
    if (found instanceof WireFault || found.telemetryLength > carrier.echoLength.fixed)
      return found;
    return { ...found, telemetryLength: 0 };
  }
}

class WholePathReader implements TelemetryReader {
  readonly #reader: TelemetryReader;
  #path: readonly HopRecord[] = [];

  constructor(reader: TelemetryReader) {
    this.#reader = reader;
  }

  read(bytes: Uint8Array, at: number, length: Bytes): CongestionSample | undefined {
    const sample = this.#reader.read(bytes, at, length);
    if (sample?.kind !== 'links') return sample;
    const { telemetry } = sample;
    const before = this.#path.length - telemetry.length;
    const isRest =
      before > 0 && telemetry.every((hop, i) => isSameLink(hop, this.#path[before + i]));
    this.#path = isRest ? [...this.#path.slice(0, before), ...telemetry] : telemetry;
    return { ...sample, telemetry: this.#path };
  }
}

const isSameLink = (a: HopRecord, b: HopRecord | undefined): boolean =>
  a.switchId === b?.switchId && a.portId === b.portId;
