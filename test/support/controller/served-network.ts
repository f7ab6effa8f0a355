import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { startP4RuntimeServer } from '../../../switch/server/server';
import type { P4RuntimeServer, P4RuntimeServerOptions } from '../../../switch/server/server';
import { V1ModelSwitch } from '../../../switch/v1model/v1model-switch';
import { FABRIC_FILES } from './fabric-program';
import { ringDocument } from './networks';

/** Embedded switches without links, each behind a P4Runtime server of its own with device id 1. */
export class ServedNetwork {
  private readonly servers: P4RuntimeServer[] = [];
  readonly devices: V1ModelSwitch[] = [];
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-controller-'));

  static async start(
    count: number,
    options: Partial<P4RuntimeServerOptions> = {},
  ): Promise<ServedNetwork> {
    const network = new ServedNetwork();
    for (let i = 0; i < count; i++) await network.serve(i, '127.0.0.1:0', options);
    return network;
  }

  get addresses(): readonly string[] {
    return this.servers.map(({ port }) => `127.0.0.1:${port}`);
  }

  /** The switch is gone, and one without state takes its place. */
  async restart(index: number): Promise<void> {
    const address = this.addresses[index] ?? '';
    await this.servers[index]?.stop();
    await this.serve(index, address, {});
  }

  async stopSwitch(index: number): Promise<void> {
    await this.servers[index]?.stop();
  }

  /** Writes a document of a ring of the switches; `edit` may change its text. */
  document(edit: (text: string) => string = (text) => text): string {
    const { p4info, config } = FABRIC_FILES;
    const program = `program: {p4info: ${p4info}, config: ${config}}\n`;
    return this.file('network.yaml', edit(program + ringDocument(this.addresses)));
  }

  file(name: string, text: string): string {
    const file = path.join(this.folder, name);
    fs.writeFileSync(file, text);
    return file;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((each) => each.stop()));
    fs.rmSync(this.folder, { recursive: true });
  }

  /** Numbers of entries of a table, by switch. */
  sizes(table: string): readonly number[] {
    return this.devices.map(
      ({ pipeline }) => [...(pipeline?.tables.get(table)?.entries() ?? [])].length,
    );
  }

  private async serve(
    index: number,
    address: string,
    options: Partial<P4RuntimeServerOptions>,
  ): Promise<void> {
    const output = { transmit: () => undefined, schedulePort: () => undefined };
    const device = new V1ModelSwitch({ ports: [], output });
    this.devices[index] = device;
    const devices = new Map([[1, device]]);
    this.servers[index] = await startP4RuntimeServer({ ...options, devices, address });
  }
}
