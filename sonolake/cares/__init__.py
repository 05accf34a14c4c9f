"""CARES: scenes of two speakers whose reactions to sounds are fixed before the sound exists.

From a template to a scene, each step a pure function of frozen records: :mod:`templates` makes situations,
:mod:`allocator` fixes who, where, what happens and how it is reacted to, :mod:`writer` puts it into words,
:mod:`checker` says what is wrong with a dialogue, :mod:`casting` picks voices and recordings into a recipe, and
:mod:`render` mixes the recipe to a scene.
"""
