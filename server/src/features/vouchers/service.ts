/** What is paid for before it is used: gift cards. The till sells them and takes them. */
export { lockNamedCards, lockSoldCards, payWithGiftCard, returnToGiftCards, sellGiftCard } from './gift-cards.ts'
