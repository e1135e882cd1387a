// The Arabic texts of the pages that anybody may open, as one: named file by file in every page they cost it a kilobyte.
export const texts = import.meta.glob<object>(
  [
    './ar/*.json',
    '!./ar/{business-check,calendars,chat,customers,dashboard,day-sheet,diary,fees,institute-settings,rearranging,diary-sessions,leave-requests,payouts,sales,series,services,settings,setup,team,till}.json',
  ],
  {
    eager: true,
    import: 'default',
  },
)
