/** What making a list, a map or a message costs beside its parts, statically and at run time. Source: cel-go common/cost.go (v0.29.2). */
export const LIST_CREATION = 10;
export const MAP_CREATION = 30;
export const MESSAGE_CREATION = 40;
