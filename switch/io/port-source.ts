import { InputError } from '../../common/errors';
import { LinkEvents } from '../../common/io/loop/link-events';
import { LinkTable } from '../../common/io/net/link-table';
import type { NetworkPlace } from '../../common/io/net/network-place';
import { PS_PER_SECOND } from '../../common/units/units';
import { FilePort } from './live/file-port';
import { FrameOrder } from './live/frame-order';
import { LivePort } from './live/live-port';
import type { PortNumber } from '../../common/units/units';
import type { SwitchFlags } from './flags/switch-flags';
import type { DataPort } from './live/data-port';
import type { LiveSwitch } from './live/live-switch';

/** Source of the ports: network interfaces, files, or a client. */
export interface PortSource {
  /** @throws InputError when there is no such interface or file. */
  open(port: PortNumber, name: string): DataPort;
  /** True if the port of this name has a link; undefined when that cannot be found out now. */
  isUp(name: string): boolean | undefined;
  /** State at the last {@link PortSource.follow}, without a new request. */
  wasUp(name: string): boolean | undefined;
  /**
   * Looks whether interfaces have been made again; reports each such port with its old descriptor.
   */
  follow(renewed: (port: DataPort, before: number) => void): void;
  /** Calls `act`, which must not throw, soon and when {@link PortSource.follow} may find something, until closed. */
  watch(act: () => void): void;
  /** True if ports can be removed while others keep running. */
  readonly removable: boolean;
  /** When no port is left. */
  close(): void;
}

/** @param network where interfaces are. */
export function portSource(
  flags: SwitchFlags,
  live: LiveSwitch,
  network: NetworkPlace,
): PortSource {
  const { filesDelay: delay, dataplaneAddress, pcapFolder } = flags;
  if (dataplaneAddress !== undefined) return clientPorts(dataplaneAddress);
  if (delay !== undefined) return filePorts(live, delay * PS_PER_SECOND);
  return interfacePorts(pcapFolder, live, network);
}

function interfacePorts(
  pcapFolder: string | undefined,
  live: LiveSwitch,
  network: NetworkPlace,
): PortSource {
  let links: LinkTable | undefined;
  let events: LinkEvents | undefined;
  let onChange = (): void => undefined;
  const carriers = new Map<string, boolean>();
  /** Result of `look`; undefined when the kernel or the interface refuses it for now. */
  const attempt = <T>(look: () => T): T | undefined => {
    try {
      return look();
    } catch (error) {
      if (error instanceof InputError) return undefined;
      throw error;
    }
  };
  return {
    open: (port, name) =>
      network.run(() => {
        links ??= new LinkTable();
        events ??= new LinkEvents(() => onChange());
        events.lookSoon();
        return new LivePort(port, name, pcapFolder);
      }),
    isUp: (name) => attempt(() => links?.find(name)?.hasCarrier === true),
    wasUp: (name) => carriers.get(name),
    follow: (renewed) => {
      carriers.clear();
      for (const port of live.ports.values()) {
        const link = attempt(() => ({ found: links?.find(port.interfaceName) }));
        if (link === undefined) {
          events?.lookAgain();
          continue;
        }
        carriers.set(port.interfaceName, link.found?.hasCarrier === true);
        const index = link.found?.index;
        if (index === undefined || !(port instanceof LivePort)) continue;
        const { fd } = port;
        const isRenewed = attempt(() => network.run(() => port.follow(index)));
        if (isRenewed === undefined) events?.lookAgain();
        else if (isRenewed) renewed(port, fd);
      }
    },
    watch: (act) => {
      onChange = act;
      events?.lookSoon();
    },
    removable: true,
    close: () => {
      events?.close();
      links?.close();
    },
  };
}

/** Files have no link that could fail; their frames come in one order, so none can be taken away. */
function filePorts(live: LiveSwitch, delay: number): PortSource {
  const order = new FrameOrder();
  const hasBegun = (): boolean => live.now() >= delay;
  return {
    open: (port, name) => new FilePort({ port, name, order, hasBegun }),
    isUp: () => true,
    wasUp: () => true,
    follow: () => undefined,
    watch: () => undefined,
    removable: false,
    close: () => undefined,
  };
}

function clientPorts(address: string): PortSource {
  return {
    open: (_port, name) => {
      throw new InputError(`${name}: ports have no interfaces, because ${address} carries packets`);
    },
    isUp: () => true,
    wasUp: () => true,
    follow: () => undefined,
    watch: () => undefined,
    removable: false,
    close: () => undefined,
  };
}
