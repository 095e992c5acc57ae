# writeText :: name -> text -> derivation
{ writeTextFile }: name: text: writeTextFile { inherit name text; }
