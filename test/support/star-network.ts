import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { HostStar } from '../../bench/live/host-star';
import { formatMappedIpv6 } from '../../common/wire/ip/mapped-ipv6';
import { keptCommand } from './own-command';

/** Address before that of the first host, unless a document gives them. */
const HOST_NETWORK = 0x0a00_0000;

interface Loading extends Readonly<Record<string, unknown>> {
  /** Where the document is written. */
  readonly folder: string;
  /** Rate of the link to host 1. */
  readonly rateBps: number;
}

/** Loads a program over what the star has, with what it needs of the controller's document. */
export function loadProgram(
  { device, hosts }: HostStar,
  { folder, rateBps, ...program }: Loading,
): void {
  const numbers = hosts.map((_, i) => i + 1);
  const document = {
    network: 'star',
    ...program,
    switches: [{ name: 's1', address: device.address }],
    hosts: numbers.map((n) => ({ name: `h${n}`, ipv6: formatMappedIpv6(HOST_NETWORK + n) })),
    links: numbers.map((n) => ({
      between: [`h${n}`, `s1:${n}`],
      rate: n === 1 ? `${rateBps / 1e6} Mb/s` : '1 Gb/s',
    })),
  };
  const file = path.join(folder, 'network.json');
  fs.writeFileSync(file, JSON.stringify(document));
  const argv = keptCommand('controller', 'apply', file, '--deadline', '30', '--election-id', '2');
  const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`hpcc controller apply ended with ${status ?? ''}: ${stderr}`);
}
