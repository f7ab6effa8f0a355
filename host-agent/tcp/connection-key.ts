import { formatIpv4 } from '../../common/topology/topology';

/** A TCP connection over IPv4, as the host sees it that runs this. */
export interface ConnectionKey {
  readonly localAddress: number;
  readonly localPort: number;
  readonly remoteAddress: number;
  readonly remotePort: number;
}

/** As people write it: `10.0.0.1:40000-10.0.0.2:5201`, the own end first. */
export function connectionName(key: ConnectionKey): string {
  const local = `${formatIpv4(key.localAddress)}:${key.localPort}`;
  return `${local}-${formatIpv4(key.remoteAddress)}:${key.remotePort}`;
}

/** Equal for equal keys, and cheaper to make than a name. */
export function connectionId(key: ConnectionKey): string {
  const { localAddress, localPort, remoteAddress, remotePort } = key;
  return `${localAddress} ${localPort * 0x10000 + remotePort} ${remoteAddress}`;
}

/** True if one of the two ports is of interest; an empty list means that all are. */
export function hasPort(key: ConnectionKey, ports: ReadonlySet<number>): boolean {
  return ports.size === 0 || ports.has(key.localPort) || ports.has(key.remotePort);
}
