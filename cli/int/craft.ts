import * as fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { Option } from 'commander';
import { InputError } from '../../common/errors';
import { writeAtomically } from '../../common/io/atomic-file';
import { PacketSocket } from '../../common/io/net/packet-socket';
import { note, print } from '../../common/io/terminal';
import { craftDocument } from '../../common/telemetry/craft/document';
import type { CraftedFrame } from '../../common/telemetry/craft/document';
import { bytesText } from '../../common/telemetry/craft/values';
import { LINK_ETHERNET } from '../../common/wire/capture/link-type';
import { pcapHeader, pcapRecord } from '../../common/wire/capture/pcap-writer';
import { readInput } from './read-input';

interface CraftFlags {
  readonly pcap?: string;
  readonly interface?: string;
}

export function registerCraft(parent: Command): void {
  parent
    .command('craft')
    .summary('make frames of a document of layers')
    .description(
      'Makes frames of a YAML or JSON document, a list of layers each: "- ethernet:", "- ipv4: { source: 10.0.0.1 }" ' +
        'and so on. What is not given is filled in; what is given is written, right or wrong. Prints hexadecimal, ' +
        'a frame per line, unless it is told where to. "hpcc int layers" lists layers and fields.',
    )
    .argument('<document>', 'file, or - for standard input')
    .option('--pcap <file>', 'write a capture with times in nanoseconds, or - for standard output')
    .addOption(
      new Option('--interface <name>', 'send the frames to an interface').conflicts('pcap'),
    )
    .action((file: string, flags: CraftFlags) => craft(file, flags));
}

async function craft(file: string, flags: CraftFlags): Promise<void> {
  const frames = craftDocument(readInput(file), file === '-' ? 'standard input' : file);
  if (flags.interface !== undefined) {
    await send([...frames], flags.interface);
    return;
  }
  if (flags.pcap === undefined) {
    for (const { bytes } of frames) print(bytesText(bytes));
    return;
  }
  const capture = captureOf([...frames]);
  if (flags.pcap === '-') fs.writeSync(1, capture);
  else writeCapture(flags.pcap, capture);
}

function writeCapture(file: string, capture: Uint8Array): void {
  try {
    writeAtomically(file, capture);
  } catch (error) {
    throw new InputError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** All frames of a capture have one link type. */
function captureOf(frames: readonly CraftedFrame[]): Uint8Array {
  const [first] = frames;
  const linkType = first?.linkType ?? LINK_ETHERNET;
  const other = frames.findIndex((frame) => frame.linkType !== linkType);
  if (other >= 0) {
    throw new InputError(
      `frame ${other + 1}: wanted the same first layer in all frames of a capture, which has one link type: ` +
        'make a capture for each',
    );
  }
  const records = frames.map(({ time, bytes }) => pcapRecord(time, bytes));
  return Buffer.concat([pcapHeader(linkType), ...records]);
}

/** Frames that an interface did not take end with exit code 1. */
async function send(frames: readonly CraftedFrame[], name: string): Promise<void> {
  const wrong = frames.findIndex(({ linkType }) => linkType !== LINK_ETHERNET);
  if (wrong >= 0)
    throw new InputError(`frame ${wrong + 1}: wanted ethernet as the first layer, to send it`);
  const socket = PacketSocket.open(name);
  try {
    for (const { bytes } of frames) socket.sending.add(bytes);
    socket.sending.flush();
    await sleep(1);
    const { sent, failed } = socket.sending;
    note(`${name}: ${sent} frames sent, ${failed} refused by the interface`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    socket.close();
  }
}
