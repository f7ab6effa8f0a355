import { PortStates } from '../../../../../switch/io/start-switch';

const PORTS = [
  { port: 1, interfaceName: 'one' },
  { port: 2, interfaceName: 'two' },
];

describe('states of ports', () => {
  test('are told when they change, and only then', () => {
    const down = new Set<string>();
    const told: (readonly [number, boolean])[] = [];
    const states = new PortStates(
      (name) => !down.has(name),
      (port, up) => told.push([port, up]),
    );
    states.look(PORTS);
    down.add('two');
    states.look(PORTS);
    states.look(PORTS);
    expect(told).toEqual([[2, false]]);
    expect([states.up(1), states.up(2)]).toEqual([true, false]);
    down.clear();
    states.look(PORTS);
    expect(told.slice(1)).toEqual([[2, true]]);
  });

  test('row 11: stay as they were while no file descriptor is left to ask', () => {
    let answer: boolean | undefined = false;
    const told: (readonly [number, boolean])[] = [];
    const states = new PortStates(
      (name) => (name === 'two' ? answer : true),
      (port, up) => told.push([port, up]),
    );
    const look = (next: boolean | undefined): void => {
      answer = next;
      states.look(PORTS);
    };
    [undefined, false, undefined, true, undefined].forEach(look);
    expect(told).toEqual([
      [2, false],
      [2, true],
    ]);
    expect(states.up(2)).toBe(true);
  });

  test('end with the interface of the port', () => {
    const told: (readonly [number, boolean])[] = [];
    const states = new PortStates(
      () => false,
      (port, up) => told.push([port, up]),
    );
    states.look(PORTS);
    states.look(PORTS.slice(0, 1));
    expect(told).toEqual([
      [1, false],
      [2, false],
      [2, true],
    ]);
  });
});
