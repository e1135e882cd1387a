/** What other features know of institutes: their cards, where they are, and the zones they are in. */
export { serviceOfCard } from './asked-service.ts'
export { cardOf } from './cards.ts'
export { distanceKm, inReach, type Point, rating } from './nearness-store.ts'
export { comesHome, readCards, timeZonesInUse } from './store.ts'
