/** What is paid for before it is used: gift cards and packages of sessions. The till sells them and takes them. */
export { lockNamedCards, lockSoldCards, payWithGiftCard, returnToGiftCards, sellGiftCard } from './gift-cards.ts'
export { lockClientPackages, packagesById, packagesOfClient, type StoredPackage } from './package-store.ts'
export { addPackage, packagesOf } from './packages.ts'
export { lockPackagesOf, sellPackage, takeSession } from './sessions.ts'
