/*
 * CEL as its error messages see it: rules, alternatives and tokens in the order of cel-go's grammar (parser/gen/CEL.g4, v0.29.2), because
 * ANTLR's messages and recovery depend on them. Valid text never comes here. `scripts/generate` turns this into the files in generated/.
 */
grammar Cel;

start : e=expr EOF ;

expr : e=conditionalOr (op='?' e1=conditionalOr ':' e2=expr)? ;

conditionalOr : e=conditionalAnd (ops+='||' e1+=conditionalAnd)* ;

conditionalAnd : e=relation (ops+='&&' e1+=relation)* ;

relation
  : calc
  | relation op=('<' | '<=' | '>=' | '>' | '==' | '!=' | 'in') relation
  ;

calc
  : unary
  | calc op=('*' | '/' | '%') calc
  | calc op=('+' | '-') calc
  ;

unary
  : member            # MemberExpr
  | (ops+='!')+ member # LogicalNot
  | (ops+='-')+ member # Negate
  ;

member
  : primary                                            # PrimaryExpr
  | member op='.' (opt='?')? id=escapeIdent            # Select
  | member op='.' id=IDENTIFIER open='(' args=exprList? ')' # MemberCall
  | member op='[' (opt='?')? index=expr ']'            # Index
  ;

primary
  : leadingDot='.'? id=IDENTIFIER                       # Ident
  | leadingDot='.'? id=IDENTIFIER (op='(' args=exprList? ')') # GlobalCall
  | '(' e=expr ')'                                      # Nested
  | op='[' elems=listInit? ','? ']'                     # CreateList
  | op='{' entries=mapInitializerList? ','? '}'         # CreateStruct
  | leadingDot='.'? ids+=IDENTIFIER (ops+='.' ids+=IDENTIFIER)* op='{' entries=fieldInitializerList? ','? '}' # CreateMessage
  | literal                                             # ConstantLiteral
  ;

exprList : e+=expr (',' e+=expr)* ;

listInit : elems+=optExpr (',' elems+=optExpr)* ;

fieldInitializerList : fields+=optField cols+=':' values+=expr (',' fields+=optField cols+=':' values+=expr)* ;

optField : (opt='?')? escapeIdent ;

mapInitializerList : keys+=optExpr cols+=':' values+=expr (',' keys+=optExpr cols+=':' values+=expr)* ;

escapeIdent
  : id=IDENTIFIER     # SimpleIdentifier
  | id=ESC_IDENTIFIER # EscapedIdentifier
  ;

optExpr : (opt='?')? e=expr ;

literal
  : sign=MINUS? tok=NUM_INT   # Int
  | tok=NUM_UINT              # Uint
  | sign=MINUS? tok=NUM_FLOAT # Double
  | tok=STRING                # String
  | tok=BYTES                 # Bytes
  | tok=CEL_TRUE              # BoolTrue
  | tok=CEL_FALSE             # BoolFalse
  | tok=NUL                   # Null
  ;

EQUALS : '==';
NOT_EQUALS : '!=';
IN : 'in';
LESS : '<';
LESS_EQUALS : '<=';
GREATER_EQUALS : '>=';
GREATER : '>';
LOGICAL_AND : '&&';
LOGICAL_OR : '||';
LBRACKET : '[';
RPRACKET : ']';
LBRACE : '{';
RBRACE : '}';
LPAREN : '(';
RPAREN : ')';
DOT : '.';
COMMA : ',';
MINUS : '-';
EXCLAM : '!';
QUESTIONMARK : '?';
COLON : ':';
PLUS : '+';
STAR : '*';
SLASH : '/';
PERCENT : '%';
CEL_TRUE : 'true';
CEL_FALSE : 'false';
NUL : 'null';

fragment LETTER : [A-Za-z];
fragment DIGIT : [0-9];
fragment EXPONENT : [eE] [+-]? DIGIT+;
fragment HEXDIGIT : [0-9a-fA-F];
fragment RAW : [rR];
fragment ESC_SEQ : ESC_CHAR_SEQ | ESC_BYTE_SEQ | ESC_UNI_SEQ | ESC_OCT_SEQ;
fragment ESC_CHAR_SEQ : '\\' [abfnrtv"'\\?`];
fragment ESC_OCT_SEQ : '\\' [0-3] [0-7] [0-7];
fragment ESC_BYTE_SEQ : '\\' [xX] HEXDIGIT HEXDIGIT;
fragment ESC_UNI_SEQ
  : '\\' 'u' HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT
  | '\\' 'U' HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT HEXDIGIT
  ;

WHITESPACE : [\t \r\n\u000C]+ -> channel(HIDDEN);
COMMENT : '//' (~'\n')* -> channel(HIDDEN);

NUM_FLOAT : DIGIT+ '.' DIGIT+ EXPONENT? | DIGIT+ EXPONENT | '.' DIGIT+ EXPONENT?;
NUM_INT : DIGIT+ | '0x' HEXDIGIT+;
NUM_UINT : DIGIT+ [uU] | '0x' HEXDIGIT+ [uU];

STRING
  : '"' (ESC_SEQ | ~[\\"\n\r])* '"'
  | '\'' (ESC_SEQ | ~[\\'\n\r])* '\''
  | '"""' (ESC_SEQ | ~[\\])*? '"""'
  | '\'\'\'' (ESC_SEQ | ~[\\])*? '\'\'\''
  | RAW '"' ~["\n\r]* '"'
  | RAW '\'' ~['\n\r]* '\''
  | RAW '"""' .*? '"""'
  | RAW '\'\'\'' .*? '\'\'\''
  ;
BYTES : [bB] STRING;

IDENTIFIER : (LETTER | '_') (LETTER | DIGIT | '_')*;
ESC_IDENTIFIER : '`' (LETTER | DIGIT | [_./\- ])+ '`';
