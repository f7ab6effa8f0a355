import { InputError } from '../../common/errors';
import { parseP4Info } from '../../common/p4runtime/load-p4info';
import { PS_PER_NS } from '../../common/units/units';
import { executorFactory } from '../codegen/executors';
import { DEFAULT_EXECUTOR } from '../codegen/executor-names';
import { readProgram } from '../ir/lowering/read-program';
import { dataPlaneIndex } from '../server/pipeline/data-plane-widths';
import { checkP4Info } from '../server/pipeline/p4info-check';
import { EmbeddedTarget } from '../stf/embedded/embedded-target';
import { readOutline } from '../stf/run/outline';
import { isPlain, resolveCommand } from '../stf/run/resolve-command';
import { isUnresolved, resolveName } from '../stf/run/resolve-name';
import { parseStf } from '../stf/text/parse-stf';
import { StfError } from '../stf/text/tokens';
import type { ExecutorName } from '../codegen/executor-names';
import type { StfReply, StfRequest } from '../stf/run/requests';
import type { ProgramOutline } from '../stf/run/outline';
import type { Statement } from '../stf/text/statements';
import type { PortOptions } from '../v1model/options';

/** Options of an {@link EmbeddedSwitch}; all have defaults. */
export interface EmbeddedSwitchOptions {
  /** The program's P4Info in the text format, or as JSON if it begins with `{`; checked if given. */
  readonly p4info?: string;
  /** Executor of the program. Default `generated`, which is the faster one. */
  readonly executor?: ExecutorName;
  /** Ports with their rates in bits/s or packets/s. Default 0 to 510, without limits. */
  readonly ports?: readonly PortOptions[];
}

/** A packet that has left the switch. */
export interface SentPacket {
  readonly port: number;
  /** Bytes from the first header on, without FCS. */
  readonly bytes: Uint8Array;
  /** When its first bit left, in ns on the clock of {@link EmbeddedSwitch.timeNs}. */
  readonly timeNs: number;
}

/**
 * A P4 program on a v1model switch in virtual time, without network, clock or processes: for tests of
 * one's own program. The same calls have the same effects in every run.
 *
 * @example
 * const device = new EmbeddedSwitch(readFileSync('router.json', 'utf8'));
 * device.write('add ipv4_lpm hdr.ipv4.dstAddr:10.0.1.0/24 forward(port:2)');
 * device.send(1, packet);
 * expect(device.collect()).toMatchObject([{ port: 2 }]);
 * expect(device.readCounter('routed', 0).packets).toBe(1n);
 */
export class EmbeddedSwitch {
  readonly #target: EmbeddedTarget;
  readonly #outline: ProgramOutline;
  /** Packets that {@link collect} has returned. */
  #collected = 0;

  /**
   * @param program p4c's BMv2 JSON, as text or parsed.
   * @throws InputError for a program that the switch cannot run, or a P4Info of another program.
   */
  constructor(program: string | object, options: EmbeddedSwitchOptions = {}) {
    const { p4info, executor = DEFAULT_EXECUTOR, ports } = options;
    const json = typeof program === 'string' ? program : JSON.stringify(program);
    if (p4info !== undefined) checkTogether(json, p4info);
    this.#target = new EmbeddedTarget(json, executorFactory(executor), ports);
    this.#outline = readOutline(json);
  }

  /** The present, in ns; the program's timestamps count from the same origin. It begins at 1 s. */
  get timeNs(): number {
    return this.#target.virtual.now / PS_PER_NS;
  }

  /**
   * Writes table entries, default actions, members, groups, clone sessions, multicast groups, meters
   * and so on, by name: the writing statements of STF, one per line, as docs/stf.md lists them. A name
   * may be shortened to an end that only one object has.
   * @throws StfError (an InputError) `statements:LINE: …` for what cannot be read, found or written;
   * statements before it have been executed.
   */
  write(statements: string): void {
    try {
      for (const each of parseStf(statements, WRITTEN).statements) this.#execute(each);
    } catch (error) {
      throw error instanceof StfError ? error.in(WRITTEN) : error;
    }
  }

  /**
   * Lets a packet arrive.
   * @param bytes from the first header on, without FCS.
   * @param timeNs when; a microsecond after the present unless given.
   * @throws InputError when the instant has passed.
   */
  send(port: number, bytes: Uint8Array, timeNs?: number): void {
    const { virtual } = this.#target;
    if (timeNs === undefined) {
      virtual.send({ port, bytes });
      return;
    }
    if (!(timeNs >= this.timeNs)) throw new InputError(`${timeNs} ns is before ${this.timeNs} ns`);
    virtual.send({ port, bytes }, timeNs * PS_PER_NS);
  }

  /** Lets time pass. @param durationNs at least 0. */
  advance(durationNs: number): void {
    if (!(durationNs >= 0))
      throw new InputError(`wanted a duration from 0 ns, found ${durationNs}`);
    this.#target.virtual.wait(durationNs * PS_PER_NS);
  }

  /**
   * Lets everything come out that is under way, which may take time.
   * @returns the packets that have left since the call before, in order of departure.
   */
  collect(): SentPacket[] {
    const { virtual } = this.#target;
    virtual.settle();
    const sent = virtual.sent.slice(this.#collected);
    this.#collected = virtual.sent.length;
    return sent.map(({ port, bytes, at }) => ({ port, bytes, timeNs: at / PS_PER_NS }));
  }

  /** One cell of a counter array. @throws InputError when there is no such counter or cell. */
  readCounter(name: string, index: number): { readonly packets: bigint; readonly bytes: bigint } {
    const counter = this.#named('counters', name);
    const { packets, bytes } = this.#ask({ kind: 'counter-read', counter, index }, 'count');
    return { packets, bytes };
  }

  /** One cell of a register array. @throws InputError when there is no such register or cell. */
  readRegister(name: string, index: number): bigint {
    const register = this.#named('registers', name);
    return this.#ask({ kind: 'register-read', register, index }, 'value').value;
  }

  #execute({ line, command }: Statement): void {
    if (!isPlain(command)) {
      throw new StfError(
        line,
        `'${command.kind}' belongs to tests; wanted a statement that writes`,
      );
    }
    const request = resolveCommand(this.#outline, command);
    if (isUnresolved(request)) throw new StfError(line, request.problem);
    const reply = this.#target.perform(request);
    if (reply.kind === 'refused') throw new StfError(line, reply.reason);
  }

  #named(kind: 'counters' | 'registers', name: string): string {
    const found = resolveName<{ readonly name: string }>(
      this.#outline[kind],
      name,
      kind.slice(0, -1),
    );
    if (isUnresolved(found)) throw new InputError(found.problem);
    return found.name;
  }

  #ask<Kind extends StfReply['kind']>(
    request: StfRequest,
    kind: Kind,
  ): StfReply & { readonly kind: Kind } {
    const reply = this.#target.perform(request);
    if (reply.kind === kind) return reply as StfReply & { readonly kind: Kind };
    throw new InputError(reply.kind === 'refused' ? reply.reason : `no ${kind}`);
  }
}

/** Name in errors for the text of {@link EmbeddedSwitch.write}. */
const WRITTEN = 'statements';

function checkTogether(json: string, text: string): void {
  const format = text.trimStart().startsWith('{') ? 'json' : 'text';
  const program = readProgram(json);
  const message = parseP4Info(Buffer.from(text), format);
  checkP4Info(dataPlaneIndex(message, program), program);
}
