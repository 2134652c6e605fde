export const survivors = [];
