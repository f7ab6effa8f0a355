import { createHash } from 'node:crypto';
import * as net from 'node:net';
import { standardTypes } from '../../../../../common/thrift/generated-code';
import { fromInt64, int64 } from '../../../../../switch/server/thrift/int64';
import { startThriftServer } from '../../../../../switch/server/thrift/server';
import { connectThrift } from '../../../../support/thrift-clients';
import { fakeSwitch } from '../../../../support/thrift-target';
import type { ThriftServer } from '../../../../../switch/server/thrift/server';
import type { ThriftClients } from '../../../../support/thrift-clients';
import type { FakeSwitch } from '../../../../support/thrift-target';

const { CounterValue, Crc16Parameters, MeterRate } = standardTypes;

let server: ThriftServer;
let clients: ThriftClients;
let fake: FakeSwitch;

beforeEach(async () => {
  fake = fakeSwitch();
  [1n, 2n, 3n, 2n ** 63n].forEach((value, i) => fake.registers.write(i, value));
  fake.counters.write(1, { packets: 7, bytes: 2 ** 40 });
  server = await startThriftServer(fake.target, 0);
  clients = connectThrift(server.port);
});

afterEach(async () => {
  clients.close();
  await server.stop();
});

const cells = (): (bigint | undefined)[] => [0, 1, 2, 3].map((i) => fake.registers.read(i));

const code = (value: number): object => expect.objectContaining({ code: value }) as object;

describe('registers over Thrift', () => {
  test('are read one by one and all at once, as signed 64-bit integers', async () => {
    expect(fromInt64(await clients.standard.bm_register_read(0, 'it', 1))).toBe(2n);
    const all = await clients.standard.bm_register_read_all(0, 'it');
    expect(all.map((cell) => fromInt64(cell))).toEqual([1n, 2n, 3n, -(2n ** 63n)]);
  });

  test('are written beyond 2^53 without rounding', async () => {
    await clients.standard.bm_register_write(0, 'it', 3, int64(2n ** 53n + 1n));
    expect(cells()[3]).toBe(2n ** 53n + 1n);
  });

  test('are written in ranges that leave out their end and stop at the end of the array', async () => {
    await clients.standard.bm_register_write_range(0, 'it', 1, 3, int64(9));
    expect(cells().slice(0, 3)).toEqual([1n, 9n, 9n]);
    await clients.standard.bm_register_write_range(0, 'it', 2, 100, int64(8));
    expect(cells()).toEqual([1n, 9n, 8n, 8n]);
  });

  test('are reset to 0', async () => {
    await clients.standard.bm_register_reset(0, 'it');
    expect(cells()).toEqual([0n, 0n, 0n, 0n]);
  });

  test('that do not exist are refused with their code', async () => {
    const { RegisterError } = standardTypes;
    const { standard } = clients;
    const unknown = code(RegisterError.UNKNOWN_ARRAY);
    await expect(standard.bm_register_read(0, 'other', 0)).rejects.toEqual(unknown);
    await expect(standard.bm_register_reset(0, 'other')).rejects.toEqual(unknown);
    const outside = code(RegisterError.INDEX_OUT_OF_RANGE);
    await expect(standard.bm_register_read(0, 'it', 4)).rejects.toEqual(outside);
    await expect(standard.bm_register_write(0, 'it', -1, int64(0))).rejects.toEqual(outside);
  });
});

describe('counters over Thrift', () => {
  test('are read, written and reset', async () => {
    const { bytes, packets } = await clients.standard.bm_counter_read(0, 'it', 1);
    expect([fromInt64(bytes), fromInt64(packets)]).toEqual([2n ** 40n, 7n]);
    const value = new CounterValue({ bytes: int64(11), packets: int64(12) });
    await clients.standard.bm_counter_write(0, 'it', 0, value);
    expect(fake.counters.read(0)).toEqual({ bytes: 11, packets: 12 });
    await clients.standard.bm_counter_reset_all(0, 'it');
    expect([0, 1].map((i) => fake.counters.read(i))).toEqual([
      { bytes: 0, packets: 0 },
      { bytes: 0, packets: 0 },
    ]);
  });

  test('that do not exist are refused with their code', async () => {
    const { CounterError } = standardTypes;
    const { standard } = clients;
    const unknown = code(CounterError.UNKNOWN_ARRAY);
    await expect(standard.bm_counter_read(0, 'other', 0)).rejects.toEqual(unknown);
    const outside = code(CounterError.INDEX_OUT_OF_RANGE);
    await expect(standard.bm_counter_read(0, 'it', 2)).rejects.toEqual(outside);
  });
});

describe('meters over Thrift', () => {
  const rate = (unitsPerMicrosecond: number, burst: number) =>
    new MeterRate({ unitsPerMicrosecond, burst });

  test('take rates per microsecond, committed before peak', async () => {
    await clients.standard.bm_meter_set_rates(0, 'it', 1, [rate(0.5, 10), rate(1, 20)]);
    expect(fake.meters.settings(0)).toBeUndefined();
    expect(fake.meters.settings(1)).toEqual({
      committedRate: 500_000,
      committedBurst: 10,
      peakRate: 1_000_000,
      peakBurst: 20,
    });
    expect(await clients.standard.bm_meter_get_rates(0, 'it', 1)).toEqual([
      rate(0.5, 10),
      rate(1, 20),
    ]);
  });

  test('have no rates before they are configured', async () => {
    expect(await clients.standard.bm_meter_get_rates(0, 'it', 0)).toEqual([]);
  });

  test('are configured all at once', async () => {
    await clients.standard.bm_meter_array_set_rates(0, 'it', [rate(1, 1), rate(1, 1)]);
    expect([0, 1].map((i) => fake.meters.settings(i)?.peakBurst)).toEqual([1, 1]);
  });

  const { BAD_RATES, BAD_RATE, BAD_BURST } = standardTypes.MeterError;
  test.each([
    ['one rate alone', [rate(1, 1)], BAD_RATES],
    ['a peak below the committed rate', [rate(2, 1), rate(1, 1)], BAD_RATE],
    ['a negative rate', [rate(-1, 1), rate(1, 1)], BAD_RATE],
    ['a negative burst', [rate(1, -1), rate(1, 1)], BAD_BURST],
  ])('refuse %s', async (_what, rates, expected) => {
    const setting = clients.standard.bm_meter_set_rates(0, 'it', 0, rates);
    await expect(setting).rejects.toEqual(code(expected));
    expect(fake.meters.settings(0)).toBeUndefined();
  });
});

describe('value sets over Thrift', () => {
  test('hold values in whole bytes, all parts in one', async () => {
    const { standard } = clients;
    await standard.bm_parse_vset_add(0, 'it', Buffer.from([0x08, 0x00]));
    await standard.bm_parse_vset_add(0, 'it', Buffer.from([0x0a, 0xbc]));
    expect([...fake.valueSet.members()][1]).toEqual([
      { kind: 'exact', value: 0xan },
      { kind: 'exact', value: 0xbcn },
    ]);
    const listed = await standard.bm_parse_vset_get(0, 'it');
    expect(listed.map((value) => value.toString('hex'))).toEqual(['0800', '0abc']);
    await standard.bm_parse_vset_remove(0, 'it', Buffer.from([0x08, 0x00]));
    expect([...fake.valueSet.members()]).toHaveLength(1);
    await standard.bm_parse_vset_clear(0, 'it');
    expect([...fake.valueSet.members()]).toEqual([]);
  });

  test('refuse what they do not hold, and empty values', async () => {
    const { FAILED, UNKNOWN_SET } = standardTypes.ValueSetError;
    const { standard } = clients;
    const value = Buffer.from([1]);
    await expect(standard.bm_parse_vset_remove(0, 'it', value)).rejects.toEqual(code(FAILED));
    await expect(standard.bm_parse_vset_add(0, 'it', Buffer.alloc(0))).rejects.toEqual(
      code(FAILED),
    );
    await expect(standard.bm_parse_vset_get(0, 'other')).rejects.toEqual(code(UNKNOWN_SET));
  });
});

describe('hashes over Thrift', () => {
  const crc = new Crc16Parameters({
    polynomial: -32763,
    initialRemainder: 0,
    finalXor: -1,
    dataReflected: true,
    remainderReflected: true,
  });

  test('take the parameters of custom CRCs as unsigned numbers', async () => {
    const set = jest.spyOn(fake.crc, 'setCrcParameters');
    await clients.standard.bm_set_crc16_custom_parameters(0, 'crc', crc);
    expect(set).toHaveBeenCalledWith({
      polynomial: 0x8005n,
      initialRemainder: 0n,
      finalXor: 0xffffn,
      dataReflected: true,
      remainderReflected: true,
    });
  });

  test('refuse unknown names, other algorithms and keys of broken words', async () => {
    const { BAD_PARAMETERS, UNKNOWN_CALCULATION, WRONG_ALGORITHM } = standardTypes.HashError;
    const { standard } = clients;
    const setCrc = (name: string): Promise<void> =>
      standard.bm_set_crc16_custom_parameters(0, name, crc);
    await expect(setCrc('other')).rejects.toEqual(code(UNKNOWN_CALCULATION));
    await expect(setCrc('toeplitz')).rejects.toEqual(code(WRONG_ALGORITHM));
    await standard.bm_set_toeplitz_hash_key(0, 'toeplitz', Buffer.alloc(8));
    const broken = standard.bm_set_toeplitz_hash_key(0, 'toeplitz', Buffer.alloc(7));
    await expect(broken).rejects.toEqual(code(BAD_PARAMETERS));
  });
});

describe('the program over Thrift', () => {
  test('can be read, with the MD5 that bmv2 uses to recognise it', async () => {
    expect(await clients.standard.bm_get_config()).toBe(fake.configuration.text);
    const digest = await clients.standard.bm_get_config_md5();
    const expected = createHash('md5').update(fake.configuration.text).digest('hex');
    expect(Buffer.from(digest).toString('hex')).toBe(expected);
  });

  test('is replaced in two steps', async () => {
    const { NOTHING_LOADED } = standardTypes.SwapError;
    await expect(clients.standard.bm_swap_configs()).rejects.toEqual(code(NOTHING_LOADED));
    await clients.standard.bm_load_new_config('{"program":"two"}');
    expect(fake.configuration.text).toBe('{"program":"one"}');
    await clients.standard.bm_swap_configs();
    expect(fake.configuration.text).toBe('{"program":"two"}');
  });

  test('is refused with the reason when it makes no sense', async () => {
    await expect(clients.standard.bm_load_new_config('bad')).rejects.toThrow('not a program');
  });

  test('tells who the switch is', async () => {
    const info = await clients.standard.bm_mgmt_get_info();
    expect(fromInt64(info.deviceId)).toBe(7n);
    expect(info.thriftPort).toBe(server.port);
  });
});

describe('interfaces over Thrift', () => {
  test('are listed, added and removed', async () => {
    await clients.standard.bm_dev_mgr_add_port('eth2', 2, '');
    const ports = await clients.standard.bm_dev_mgr_show_ports();
    expect(ports.map(({ port, interfaceName, isUp }) => [port, interfaceName, isUp])).toEqual([
      [1, 'eth1', true],
      [2, 'eth2', false],
    ]);
    await clients.standard.bm_dev_mgr_remove_port(1);
    expect([...fake.interfaces.keys()]).toEqual([2]);
  });

  test('that cannot be attached or do not exist are refused', async () => {
    const failed = code(standardTypes.PortError.FAILED);
    const { standard } = clients;
    await expect(standard.bm_dev_mgr_add_port('none', 2, '')).rejects.toEqual(failed);
    await expect(standard.bm_dev_mgr_add_port('eth2', 2, 'file.pcap')).rejects.toEqual(failed);
    await expect(standard.bm_dev_mgr_remove_port(9)).rejects.toEqual(failed);
  });
});

describe('queues over Thrift', () => {
  test('are selected by port and priority, and refusals answer a number other than 0', async () => {
    const { simpleSwitch } = clients;
    expect(await simpleSwitch.set_all_egress_queue_rates(int64(100))).toBe(0);
    expect(await simpleSwitch.set_egress_queue_rate(1, int64(200))).toBe(0);
    expect(await simpleSwitch.set_egress_priority_queue_rate(1, 2, int64(300))).toBe(0);
    expect(await simpleSwitch.set_all_egress_queue_depths(10)).toBe(0);
    expect(await simpleSwitch.set_egress_queue_depth(1, 20)).toBe(0);
    expect(await simpleSwitch.set_egress_priority_queue_depth(1, 2, 30)).toBe(0);
    expect(await simpleSwitch.set_egress_queue_depth(99, 1)).not.toBe(0);
    expect(await simpleSwitch.set_egress_queue_rate(1, int64(-1))).not.toBe(0);
    expect(fake.queueSettings).toEqual([
      ['rate', {}, 100],
      ['rate', { port: 1 }, 200],
      ['rate', { port: 1, priority: 2 }, 300],
      ['depth', {}, 10],
      ['depth', { port: 1 }, 20],
      ['depth', { port: 1, priority: 2 }, 30],
    ]);
  });
});

describe('the clock over Thrift', () => {
  test('counts from the start of the switch, and by the calendar', async () => {
    expect(fromInt64(await clients.simpleSwitch.get_time_elapsed_us())).toBe(1234n);
    const epoch = await clients.simpleSwitch.get_time_since_epoch_us();
    expect(fromInt64(epoch)).toBe(1_700_000_000_000_000n);
  });
});

describe('the Thrift server', () => {
  test('survives a peer that speaks something else', async () => {
    await new Promise<void>((resolve) => {
      const peer = net.connect(server.port, '127.0.0.1', () => peer.end('GET / HTTP/1.1\r\n\r\n'));
      peer.on('error', () => undefined);
      peer.on('close', () => resolve());
    });
    expect(fromInt64(await clients.standard.bm_register_read(0, 'it', 0))).toBe(1n);
  });

  test('says which port is taken', async () => {
    const { target } = fakeSwitch();
    await expect(startThriftServer(target, server.port)).rejects.toThrow(
      `Thrift cannot listen on port ${server.port}`,
    );
  });
});
