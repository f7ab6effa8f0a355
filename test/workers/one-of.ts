import type { Random } from '../../common/random/random';

export function oneOf<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.below(items.length)] as Item;
}
